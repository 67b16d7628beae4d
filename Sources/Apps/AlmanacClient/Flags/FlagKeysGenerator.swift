public import AlmanacJSON

/// A generator of code with the flags of an OpenFeature manifest, for apps in several languages.
public struct FlagKeysGenerator {
    private let origin: String
    private let keys: [TypedKey]
    /// The keys of flags without a default value, whose type is unknown.
    public let skippedKeys: [String]

    private struct Flag {
        let key: String
        let type: String?
        let value: JSONValue
        let description: String
    }

    /// - Parameters:
    ///   - origin: the environment or file of the manifest.
    ///   - manifest: the server's form with an array of flags, or the form of OpenFeature's tools with an object.
    public init(origin: String, manifest: JSONObject) {
        self.origin = origin
        var (keys, skippedKeys): ([TypedKey], [String]) = ([], [])
        for flag in Self.flags(manifest) {
            if let (shape, value) = Self.typed(flag) {
                keys.append(TypedKey(flag.key, shape, default: value, description: flag.description))
            } else {
                skippedKeys.append(flag.key)
            }
        }
        (self.keys, self.skippedKeys) = (keys, skippedKeys)
    }

    /// Returns the content of the source file, independent of the flags' order.
    public func text(in language: KeyLanguage) -> String {
        let header = """
            // The flags of \(origin.split(whereSeparator: \.isNewline).joined(separator: " ")).
            // Written by 'almanac flags generate \(language.rawValue)'; not to be edited.
            """
        return switch language {
        case .swift: SwiftKeys.flags(keys, header: header)
        case .typescript: TypeScriptKeys.flags(keys, header: header)
        case .kotlin: KotlinKeys.flags(keys, header: header)
        }
    }

    private static func flags(_ manifest: JSONObject) -> [Flag] {
        var pairs: [(key: String, flag: JSONObject)] = []
        switch manifest["flags"] {
        case .array(let flags)?:
            for flag in flags.compactMap(\.objectValue) { pairs.append((flag["key"]?.stringValue ?? "", flag)) }
        case .object(let flags)?:
            for member in flags.members { pairs.append((member.name, member.value.objectValue ?? JSONObject())) }
        default: break
        }
        return pairs.filter { !$0.key.isEmpty }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            Flag(
                key: $0.key, type: ($0.flag["type"] ?? $0.flag["flagType"])?.stringValue,
                value: $0.flag["defaultValue"] ?? .null, description: $0.flag["description"]?.stringValue ?? "")
        }
    }

    /// Returns the shape and default of a flag; nil if they are unknown.
    private static func typed(_ flag: Flag) -> (ValueShape, JSONValue)? {
        let number = flag.value.numberValue
        switch flag.type {
        case "boolean"?: return (.bool, .boolean(flag.value.boolValue ?? false))
        case "string"?: return (.string, .string(flag.value.stringValue ?? ""))
        case "integer"?: return (.int, .number(number.flatMap { $0.int64 == nil ? nil : $0 } ?? JSONNumber(0)))
        case "float"?, "double"?, "number"?: return (.double, .number(number ?? JSONNumber(0)))
        default:
            guard flag.value != .null else { return nil }
            let isBare = flag.value.objectValue?.isEmpty == true
            return (isBare ? .any : ValueShape(of: flag.value).withoutPatterns, flag.value)
        }
    }
}
