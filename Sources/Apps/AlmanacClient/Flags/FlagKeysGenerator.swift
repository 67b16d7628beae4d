public import AlmanacJSON

/// A generator of Swift code with the flags of an OpenFeature manifest, for apps with the library AlmanacFlags.
public struct FlagKeysGenerator {
    private let origin: String
    private var lines: [String] = []
    private var names = SwiftNames(anything: "FlagData", others: ["FlagKey", "FlagKeys"])
    /// The keys of flags without a default value, whose type is unknown.
    public private(set) var skippedKeys: [String] = []

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
        for flag in Self.flags(manifest) { add(flag) }
    }

    /// The content of the source file, independent of the flags' order.
    public var text: String {
        """
        // swift-format-ignore-file
        // The flags of \(origin.split(whereSeparator: \.isNewline).joined(separator: " ")).
        // Written by 'almanac flags generate swift'; not to be edited.

        import AlmanacFlags

        nonisolated extension FlagKeys {
        \(lines.dropFirst().joined(separator: "\n"))
        }

        """
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

    private mutating func add(_ flag: Flag) {
        guard let (shape, value) = Self.typed(flag) else {
            skippedKeys.append(flag.key)
            return
        }
        let name = names.variable(flag.key)
        let type = names.type(of: shape, named: flag.key, &lines)
        lines.append("")
        let description = flag.description.split(whereSeparator: \.isNewline).map(String.init)
        for line in description.isEmpty ? ["`\(Self.line(flag.key))`"] : description + ["", "`\(Self.line(flag.key))`"]
        {
            lines.append(line.isEmpty ? "    ///" : "    /// \(line)")
        }
        let start = "    static let \(SwiftNames.code(name)) = FlagKey<\(type)>("
        let (key, code) = (SwiftNames.quoted(flag.key), Self.code(value, shape))
        let line = "\(start)\(key), default: \(code))"
        lines.append(line.utf8.count <= 120 ? line : "\(start)\n        \(key),\n        default: \(code))")
    }

    /// Returns a key for a comment line, with line breaks replaced by spaces.
    private static func line(_ key: String) -> String { key.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// Returns the shape and default of a flag; nil if they are unknown.
    private static func typed(_ flag: Flag) -> (SwiftShape, JSONValue)? {
        let number = flag.value.numberValue
        switch flag.type {
        case "boolean"?: return (.bool, .boolean(flag.value.boolValue ?? false))
        case "string"?: return (.string, .string(flag.value.stringValue ?? ""))
        case "integer"?: return (.int, .number(number.flatMap { $0.int64 == nil ? nil : $0 } ?? JSONNumber(0)))
        case "float"?, "double"?, "number"?: return (.double, .number(number ?? JSONNumber(0)))
        default:
            guard flag.value != .null else { return nil }
            let isBare = flag.value.objectValue?.isEmpty == true
            return (isBare ? .any : SwiftShape(of: flag.value).withoutPatterns, flag.value)
        }
    }

    /// Returns a Swift expression for a value of a known type.
    private static func code(_ value: JSONValue, _ shape: SwiftShape) -> String {
        switch (shape, value) {
        case (_, .string(let text)): return SwiftNames.quoted(text)
        case (_, .number(let number)) where number.int64 == nil || shape == .double:
            return number.text.contains { ".eE".contains($0) } ? number.text : "\(number.text).0"
        case (_, .number), (_, .boolean): return "\(value)"
        case (.array(let element), .array(let values)):
            return "[\(values.map { code($0, element) }.joined(separator: ", "))]"
        case (.object(let members), .object(let object)):
            var own = SwiftNames(anything: "FlagData")
            let arguments = members.compactMap { member -> String? in
                let name = own.variable(member.name)
                guard let value = object[member.name] else { return nil }
                let isNil = member.isOptional && value == .null
                return "\(SwiftNames.label(name)): \(isNil ? "nil" : code(value, member.shape))"
            }
            return ".init(\(arguments.joined(separator: ", ")))"
        case (_, .array(let values)): return "[\(values.map { code($0, .any) }.joined(separator: ", "))]"
        case (_, .object(let object)):
            let members = object.members.map { "\(SwiftNames.quoted($0.name)): \(code($0.value, .any))" }
            return "[\(members.isEmpty ? ":" : members.joined(separator: ", "))]"
        case (_, .null): return ".null"
        }
    }
}

extension SwiftShape {
    /// The shape with plain strings in place of colours and URLs.
    fileprivate var withoutPatterns: SwiftShape {
        switch self {
        case .color, .url: .string
        case .array(let element): .array(element.withoutPatterns)
        case .object(let members):
            .object(members.map { Member(name: $0.name, shape: $0.shape.withoutPatterns, isOptional: $0.isOptional) })
        default: self
        }
    }
}
