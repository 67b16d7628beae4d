internal import AlmanacJSON

/// Swift code with keys, for the libraries AlmanacConfig and AlmanacFlags.
struct SwiftKeys {
    /// The type of values that have no common type.
    private let anything: String
    private var names: KeyNames
    /// The lines of an extension.
    private var lines: [String] = []

    /// - Parameter others: further names that the generated code refers to.
    private init(anything: String, others: Set<String>) {
        self.anything = anything
        names = KeyNames(taken: Self.standardNames.union(others).union([anything]))
    }

    static func config(_ keys: [TypedKey], major: Int64?, header: String) -> String {
        var source = SwiftKeys(anything: "ConfigJSON", others: ["ConfigColor", "ConfigKey", "ConfigKeys", "URL"])
        if let major {
            source.lines += ["", "    /// The major that these keys are of, for the version in `ConfigOptions`."]
            source.lines.append("    static let \(source.names.variable("major")) = \"\(major)\"")
        }
        for key in keys {
            source.add(key, type: { _ in "ConfigKey" }, value: { configCode(key.value, key.shape, $0) })
        }
        return """
            // swift-format-ignore-file
            \(header)

            import AlmanacConfig
            import Foundation

            nonisolated extension ConfigKeys {
            \(source.lines.dropFirst().joined(separator: "\n"))
            }

            """
    }

    static func flags(_ keys: [TypedKey], header: String) -> String {
        var source = SwiftKeys(anything: "FlagData", others: ["FlagKey", "FlagKeys"])
        for key in keys {
            source.add(key, type: { "FlagKey<\($0)>" }, value: { _ in flagCode(key.value, key.shape) })
        }
        return """
            // swift-format-ignore-file
            \(header)

            import AlmanacFlags

            nonisolated extension FlagKeys {
            \(source.lines.dropFirst().joined(separator: "\n"))
            }

            """
    }

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - type: returns the key's type for the type of its values.
    ///   - value: returns the default as an expression for the type of its values.
    private mutating func add(_ key: TypedKey, type: (String) -> String, value: (String) -> String) {
        let name = names.variable(key.name)
        let valueType = self.type(of: key.shape, named: key.name)
        lines.append("")
        lines += key.comment.map { $0.isEmpty ? "    ///" : "    /// \($0)" }
        let start = "    static let \(Self.code(name)) = \(type(valueType))("
        let (quoted, code) = (Self.quoted(key.name), value(valueType))
        let line = "\(start)\(quoted), default: \(code))"
        lines.append(line.utf8.count <= 120 ? line : "\(start)\n        \(quoted),\n        default: \(code))")
    }
}

// MARK: Types
extension SwiftKeys {
    /// Returns the name of a shape's type. Declares the type of an object.
    private mutating func type(of shape: ValueShape, named name: String) -> String {
        switch shape {
        case .string: return "String"
        case .color: return "ConfigColor"
        case .url: return "URL"
        case .bool: return "Bool"
        case .int: return "Int"
        case .double: return "Double"
        case .any: return anything
        case .array(let element): return "[\(type(of: element, named: name))]"
        case .object(let members): return declare(members, named: name)
        }
    }

    private mutating func declare(_ members: [ValueShape.Member], named name: String) -> String {
        let typeName = names.type(name)
        var own = KeyNames(taken: Self.standardNames.union([anything]))
        var (properties, codes): ([String], [String]) = ([], [])
        for member in members {
            let variable = Self.code(own.variable(member.name))
            let type = type(of: member.shape, named: "\(name).\(member.name)")
            properties.append("        var \(variable): \(type)\(member.isOptional ? "?" : "")")
            codes.append(
                "            case \(variable)" + (variable == member.name ? "" : " = \(Self.quoted(member.name))"))
        }
        lines += [
            "", "    /// The value of \(Self.quoted(name)).", "    struct \(typeName): Codable, Hashable, Sendable {",
        ]
        lines += properties
        if !members.isEmpty {
            lines += ["", "        private enum CodingKeys: String, CodingKey {"] + codes + ["        }"]
        }
        lines.append("    }")
        return typeName
    }
}

// MARK: Values
extension SwiftKeys {
    /// Returns an expression for a value of the config.
    private static func configCode(_ value: JSONValue, _ shape: ValueShape, _ type: String) -> String {
        switch shape {
        case .string: return quoted(value.stringValue ?? "")
        case .color: return "ConfigColor(\(quoted(value.stringValue ?? "")))!"
        case .url: return "URL(string: \(quoted(value.stringValue ?? "")))!"
        case .bool, .int: return "\(value)"
        case .double: return "\(value)".contains { ".eE".contains($0) } ? "\(value)" : "\(value).0"
        case .any, .array, .object: return decoded(value, type)
        }
    }

    /// Returns an expression that decodes a value from JSON, like a value from the server.
    private static func decoded(_ value: JSONValue, _ type: String) -> String {
        let json = "\(value)".contains("\"#") ? quoted("\(value)") : "#\"\(value)\"#"
        return "try! ConfigJSON(\n            json: \(json).utf8\n        )"
            + (type == "ConfigJSON" ? "" : ".decoded(as: \(type).self)")
    }

    /// Returns an expression for a value of a flag, where the type is known from the context.
    private static func flagCode(_ value: JSONValue, _ shape: ValueShape) -> String {
        switch (shape, value) {
        case (_, .string(let text)): return quoted(text)
        case (_, .number(let number)) where number.int64 == nil || shape == .double:
            return number.text.contains { ".eE".contains($0) } ? number.text : "\(number.text).0"
        case (_, .number), (_, .boolean): return "\(value)"
        case (.array(let element), .array(let values)):
            return "[\(values.map { flagCode($0, element) }.joined(separator: ", "))]"
        case (.object(let members), .object(let object)):
            var own = KeyNames(taken: standardNames.union(["FlagData"]))
            let arguments = members.compactMap { member -> String? in
                let name = own.variable(member.name)
                guard let value = object[member.name] else { return nil }
                let isNil = member.isOptional && value == .null
                return "\(label(name)): \(isNil ? "nil" : flagCode(value, member.shape))"
            }
            return ".init(\(arguments.joined(separator: ", ")))"
        case (_, .array(let values)): return "[\(values.map { flagCode($0, .any) }.joined(separator: ", "))]"
        case (_, .object(let object)):
            let members = object.members.map { "\(quoted($0.name)): \(flagCode($0.value, .any))" }
            return "[\(members.isEmpty ? ":" : members.joined(separator: ", "))]"
        case (_, .null): return ".null"
        }
    }
}

// MARK: Words
extension SwiftKeys {
    /// The names of the standard library that the generated code refers to.
    private static let standardNames: Set = [
        "Any", "Bool", "Codable", "CodingKey", "CodingKeys", "Double", "Hashable", "Int", "Protocol", "Self",
        "Sendable", "String", "Type",
    ]

    /// Returns a name for code, with backticks around a keyword.
    private static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a name for an argument label, where `inout` is the only keyword that needs backticks.
    private static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    private static func quoted(_ text: String) -> String { text.quoted { "\\u{\($0)}" } }
}
