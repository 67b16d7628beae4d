internal import AlmanacJSON

/// TypeScript code with keys, for the web client's config and for OpenFeature's SDK for the web.
struct TypeScriptKeys {
    private var names = KeyNames(taken: ["Client", "JsonValue", "Key"])
    private var types: [String] = []
    private var members: [String] = []

    /// Returns a module for `config.get(...keys.name)`.
    static func config(_ keys: [TypedKey], major: Int64?, header: String) -> String {
        var source = TypeScriptKeys()
        for key in keys {
            source.add(key) { type in "key<\(type)>(\(literal(.string(key.name))), \(literal(key.value)))" }
        }
        let pin = major.map { "/** The major that these keys are of. */\nexport const major = \"\($0)\";\n\n" } ?? ""
        return """
            \(header)

            export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

            /** A key and its default: the arguments of `config.get(...keys.name)`. */
            export type Key<Value> = readonly [name: string, fallback: Value];

            const key = <Value>(name: string, fallback: Value): Key<Value> => [name, fallback];

            \(pin)\(source.text(object: "keys"))
            """
    }

    /// Returns a module with an accessor for each flag, `flags.name(client)`.
    static func flags(_ keys: [TypedKey], header: String) -> String {
        var source = TypeScriptKeys()
        for key in keys {
            source.add(key) { type in
                let arguments = "(\(literal(.string(key.name))), \(literal(key.value)))"
                let call =
                    switch key.shape {
                    case .bool: "client.getBooleanValue\(arguments)"
                    case .string, .color, .url: "client.getStringValue\(arguments)"
                    case .int, .double: "client.getNumberValue\(arguments)"
                    case .any: "client.getObjectValue<JsonValue>\(arguments)"
                    case .array, .object: "client.getObjectValue<JsonValue>\(arguments) as \(type)"
                    }
                return "(client: Client): \(type) => \(call)"
            }
        }
        return """
            \(header)

            import type { Client, JsonValue } from "@openfeature/web-sdk";

            \(source.text(object: "flags"))
            """
    }

    /// Adds a member of the object.
    ///
    /// - Parameter expression: returns the member's value for the type of the key's values.
    private mutating func add(_ key: TypedKey, expression: (String) -> String) {
        let name = names.variable(key.name)
        let type = type(of: key.shape, named: key.name)
        members += key.blockComment(indent: "  ") + ["  \(name): \(expression(type)),"]
    }

    /// Returns the types, then an exported object with the members.
    private func text(object: String) -> String {
        (types + ["export const \(object) = {"] + members + ["} as const;", ""]).joined(separator: "\n")
    }

    /// Returns the name of a shape's type. Declares the type of an object.
    private mutating func type(of shape: ValueShape, named name: String) -> String {
        switch shape {
        case .string, .color, .url: return "string"
        case .bool: return "boolean"
        case .int, .double: return "number"
        case .any: return "JsonValue"
        case .array(let element): return "\(type(of: element, named: name))[]"
        case .object(let own):
            let type = names.type(name)
            let lines = own.map { member in
                let inner = self.type(of: member.shape, named: "\(name).\(member.name)")
                let name = Self.literal(.string(member.name))
                return member.isOptional ? "  \(name)?: \(inner) | null;" : "  \(name): \(inner);"
            }
            types += ["export type \(type) = {"] + lines + ["};", ""]
            return type
        }
    }

    /// Returns a value as an expression.
    private static func literal(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text.quoted(escape: String.shortEscape)
        case .array(let elements): return "[\(elements.map(literal).joined(separator: ", "))]"
        case .object(let object):
            let members = object.members.map { member in
                let name = literal(.string(member.name))
                // A plain member `__proto__` would set the prototype.
                return "\(member.name == "__proto__" ? "[\(name)]" : name): \(literal(member.value))"
            }
            return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
        case .null, .boolean, .number: return "\(value)"
        }
    }
}
