internal import AlmanacJSON

/// Kotlin code with keys, for values that any JSON library has decoded and for OpenFeature's SDK for Kotlin.
struct KotlinKeys {
    private var names = KeyNames()
    /// The lines of an object.
    private var lines: [String] = []

    /// Returns a file for `ConfigKeys.name.from(values)`.
    static func config(_ keys: [TypedKey], major: Int64?, header: String) -> String {
        var source = KotlinKeys()
        if let major {
            source.lines += ["", "    /** The major that these keys are of. */"]
            source.lines.append("    const val \(source.names.variable("major")) = \"\(major)\"")
        }
        for key in keys {
            let isLong = hasLong(key.value)
            let valueType = type(of: key.shape, isLong: isLong)
            let arguments = [
                quoted(key.name), literal(key.value, key.shape, isLong: isLong), reader(of: key.shape, isLong: isLong),
            ]
            // A getter costs nothing until an app reads the key. Static code that makes thousands of keys would be too
            // large for the JVM.
            source.add(key) {
                "val \($0): ConfigKey<\(valueType)> get()"
            } body: {
                "ConfigKey(\(arguments.joined(separator: ", ")))"
            }
        }
        return """
            \(header)
            @file:Suppress("unused", "UNCHECKED_CAST")

            package almanac

            /** A key of the config, with the default for a value that is missing or has another type. */
            class ConfigKey<T>(val name: String, val default: T, private val read: (Any?) -> T?) {
                /** Returns the key's value among all values, which are those of `GET /config.json`. */
                fun from(values: Map<String, Any?>): T = read(values[name]) ?: default
            }

            object ConfigKeys {
            \(source.lines.dropFirst().joined(separator: "\n"))
            }

            \(readers)
            """
    }

    /// Functions that return a decoded JSON value with a type, or null. JSON libraries use several classes for numbers.
    private static let readers = """
        private object Read {
            val any: (Any?) -> Any? = { it }
            val boolean: (Any?) -> Boolean? = { it as? Boolean }
            val string: (Any?) -> String? = { it as? String }
            val int: (Any?) -> Int? = { value ->
                (value as? Number)?.let { number -> number.toInt().takeIf { it.toDouble() == number.toDouble() } }
            }
            val long: (Any?) -> Long? = { value ->
                (value as? Number)?.let { number -> number.toLong().takeIf { it.toDouble() == number.toDouble() } }
            }
            val double: (Any?) -> Double? = { (it as? Number)?.toDouble() }
            val map: (Any?) -> Map<String, Any?>? = { it as? Map<String, Any?> }
            val anyList: (Any?) -> List<Any?>? = { it as? List<Any?> }

            fun <T : Any> list(read: (Any?) -> T?): (Any?) -> List<T>? = { value ->
                anyList(value)?.let { elements -> elements.mapNotNull(read).takeIf { it.size == elements.size } }
            }
        }

        """

    /// Returns a file with an accessor for each flag, `Flags.name(client)`.
    static func flags(_ keys: [TypedKey], header: String) -> String {
        var source = KotlinKeys()
        for key in keys {
            // The SDK has no long integers.
            let isLong = hasLong(key.value)
            let (type, method) =
                switch key.shape {
                case .bool: ("Boolean", "getBooleanValue")
                case .string, .color, .url: ("String", "getStringValue")
                case .int where !isLong: ("Int", "getIntegerValue")
                case .int, .double: ("Double", "getDoubleValue")
                case .any, .array, .object: ("Value", "getObjectValue")
                }
            let value =
                switch key.shape {
                case .any, .array, .object: flagValue(key.value)
                default: literal(key.value, isLong ? .double : key.shape, isLong: false)
                }
            source.add(key) {
                "fun \($0)(client: Client): \(type)"
            } body: {
                "client.\(method)(\(quoted(key.name)), \(value))"
            }
        }
        return """
            \(header)
            @file:Suppress("unused", "UNUSED_IMPORT")

            package almanac

            import dev.openfeature.kotlin.sdk.Client
            import dev.openfeature.kotlin.sdk.Value

            object Flags {
            \(source.lines.dropFirst().joined(separator: "\n"))
            }

            """
    }

    /// Adds a declaration with an expression as its body.
    private mutating func add(_ key: TypedKey, declaration: (String) -> String, body: () -> String) {
        lines += [""] + key.blockComment(indent: "    ")
        let start = "    \(declaration(Self.code(names.variable(key.name)))) ="
        let line = "\(start) \(body())"
        lines.append(line.utf8.count <= 120 ? line : "\(start)\n        \(body())")
    }
}

// MARK: Types
extension KotlinKeys {
    /// Returns the name of a shape's type.
    private static func type(of shape: ValueShape, isLong: Bool) -> String {
        switch shape {
        case .string, .color, .url: "String"
        case .bool: "Boolean"
        case .int: isLong ? "Long" : "Int"
        case .double: "Double"
        case .any: "Any?"
        case .array(let element): "List<\(type(of: element, isLong: isLong))>"
        case .object: "Map<String, Any?>"
        }
    }

    /// Returns the function that reads a value of a shape.
    private static func reader(of shape: ValueShape, isLong: Bool) -> String {
        switch shape {
        case .array(.any): "Read.anyList"
        case .array(let element): "Read.list(\(reader(of: element, isLong: isLong)))"
        case .object: "Read.map"
        case .any: "Read.any"
        default: "Read.\(type(of: shape, isLong: isLong).lowercased())"
        }
    }

    /// Returns true if a value is, or an array contains, an integer of more than 32 bits.
    private static func hasLong(_ value: JSONValue) -> Bool {
        if let elements = value.arrayValue { return elements.contains(where: hasLong) }
        return value.numberValue?.int64.map { Int32(exactly: $0) == nil } ?? false
    }
}

// MARK: Values
extension KotlinKeys {
    /// Returns an expression for a value of the config.
    private static func literal(_ value: JSONValue, _ shape: ValueShape, isLong: Bool) -> String {
        switch (shape, value) {
        case (.double, .number(let number)): return double(number)
        case (_, .number(let number)): return integer(number, isLong: isLong) ?? double(number)
        case (.array(let element), .array(let elements)) where element != .any && !elements.isEmpty:
            return "listOf(\(elements.map { literal($0, element, isLong: isLong) }.joined(separator: ", ")))"
        case (_, .array(let elements)): return call("listOf<Any?>", elements.map(anyLiteral))
        case (_, .object(let object)):
            return call("mapOf<String, Any?>", object.members.map { "\(quoted($0.name)) to \(anyLiteral($0.value))" })
        case (_, .string(let text)): return quoted(text)
        case (_, .boolean), (_, .null): return "\(value)"
        }
    }

    private static func anyLiteral(_ value: JSONValue) -> String { literal(value, .any, isLong: hasLong(value)) }

    /// Returns an expression for a value of OpenFeature's SDK.
    private static func flagValue(_ value: JSONValue) -> String {
        switch value {
        case .null: return "Value.Null"
        case .boolean: return "Value.Boolean(\(value))"
        case .string(let text): return "Value.String(\(quoted(text)))"
        case .number(let number):
            return hasLong(value)
                ? "Value.Double(\(double(number)))"
                : integer(number, isLong: false).map { "Value.Integer(\($0))" } ?? "Value.Double(\(double(number)))"
        case .array(let elements): return "Value.List(\(call("listOf<Value>", elements.map(flagValue))))"
        case .object(let object):
            let members = object.members.map { "\(quoted($0.name)) to \(flagValue($0.value))" }
            return "Value.Structure(\(call("mapOf<String, Value>", members)))"
        }
    }

    private static func call(_ function: String, _ arguments: [String]) -> String {
        "\(function)(\(arguments.joined(separator: ", ")))"
    }

    /// Returns an integer, or nil if the number is none. The smallest integers have no literals.
    private static func integer(_ number: JSONNumber, isLong: Bool) -> String? {
        number.int64.map { value in
            switch value {
            case .min: "Long.MIN_VALUE"
            case Int64(Int32.min) where !isLong: "Int.MIN_VALUE"
            default: isLong ? "\(value)L" : "\(value)"
            }
        }
    }

    private static func double(_ number: JSONNumber) -> String { "\(Double(number.text) ?? 0)" }
}

// MARK: Words
extension KotlinKeys {
    /// Returns a name for code, with backticks around a keyword.
    private static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let keywords: Set = [
        "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
        "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var",
        "when", "while",
    ]

    private static func quoted(_ text: String) -> String {
        text.quoted(marks: "\"\\$", escape: String.shortEscape)
    }
}
