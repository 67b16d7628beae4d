public import AlmanacJSON

/// An entry of the config as an app sees it.
public struct DescribedEntry: Sendable {
    /// As on the server.
    public let key: String
    public let value: JSONValue
    /// What the entry is for; may be empty.
    public let description: String

    public init(key: String, value: JSONValue, description: String) {
        (self.key, self.value, self.description) = (key, value, description)
    }
}

/// A major version, and the keys that it still sees although the newest config has moved on from them.
public struct KeptMajor: Sendable, Equatable {
    public let major: Int64
    /// The newest version with this major.
    public let version: String
    public let isCurrent: Bool
    public let keeps: [String]

    public init(major: Int64, version: String, isCurrent: Bool, keeps: [String]) {
        (self.major, self.version, self.isCurrent, self.keeps) = (major, version, isCurrent, keeps)
    }

    /// Whether builds of this older major go on seeing what a key was.
    public func keeps(_ key: String) -> Bool { !isCurrent && keeps.contains { $0.utf8.elementsEqual(key.utf8) } }
}

/// The keys of an environment as Swift, for apps with the library AlmanacConfig.
public struct ConfigKeysSource {
    private let environment: String
    private let version: String
    private let major: Int64?
    private let majors: [KeptMajor]
    private var lines: [String] = []
    private var names = SwiftNames(anything: "ConfigJSON", others: ["ConfigColor", "ConfigKey", "ConfigKeys", "URL"])

    /// - Parameters:
    ///   - environment: its name.
    ///   - version: the newest version of the entries' major.
    ///   - entries: ordered by key, as that major sees them.
    ///   - majors: none where nobody may ask for them.
    public init(environment: String, version: String, entries: [DescribedEntry], majors: [KeptMajor]) {
        self.environment = environment
        self.version = version
        self.majors = majors
        major = version.split(separator: ".").first.flatMap { Int64($0) }
        if let major {
            lines += ["", "    /// The major that these keys are of, for the version in `ConfigOptions`."]
            lines.append("    static let \(names.variable("major")) = \"\(major)\"")
        }
        for entry in entries { add(entry) }
    }

    /// A file of source code.
    public var text: String {
        """
        // swift-format-ignore-file
        // The config of \(environment), version \(version).
        // Written by 'almanac config generate swift'; not to be edited.

        import AlmanacConfig
        import Foundation

        nonisolated extension ConfigKeys {
        \(lines.dropFirst().joined(separator: "\n"))
        }

        """
    }

    private mutating func add(_ entry: DescribedEntry) {
        let name = names.variable(entry.key)
        let shape = SwiftShape(of: entry.value)
        let type = names.type(of: shape, named: entry.key, &lines)
        lines.append("")
        let description = entry.description.split(whereSeparator: \.isNewline).map(String.init)
        let text = description.isEmpty ? ["`\(entry.key)`"] : description + ["", "`\(entry.key)`"]
        for line in text + majorNotes(entry.key) { lines.append(line.isEmpty ? "    ///" : "    /// \(line)") }
        let start = "    static let \(SwiftNames.code(name)) = ConfigKey("
        let (key, value) = (SwiftNames.quoted(entry.key), Self.code(entry.value, shape, type))
        let line = "\(start)\(key), default: \(value))"
        lines.append(line.utf8.count <= 120 ? line : "\(start)\n        \(key),\n        default: \(value))")
    }

    /// What builds of other majors see in place of this.
    private func majorNotes(_ key: String) -> [String] {
        var notes: [String] = []
        for other in majors where other.keeps(key) {
            notes.append(
                other.major == major
                    ? "Only builds of major \(other.major) see it, for good: it was removed or retyped since."
                    : "Builds of major \(other.major) keep what it was before it was removed or retyped.")
        }
        return notes.isEmpty ? [] : [""] + notes
    }
}

extension ConfigKeysSource {
    /// A value as an expression of a type.
    private static func code(_ value: JSONValue, _ shape: SwiftShape, _ type: String) -> String {
        switch shape {
        case .string: return SwiftNames.quoted(value.stringValue ?? "")
        case .color: return "ConfigColor(\(SwiftNames.quoted(value.stringValue ?? "")))!"
        case .url: return "URL(string: \(SwiftNames.quoted(value.stringValue ?? "")))!"
        case .bool, .int: return "\(value)"
        case .double: return "\(value)".contains { ".eE".contains($0) } ? "\(value)" : "\(value).0"
        case .any, .array, .object: return decoded(value, type)
        }
    }

    /// What a larger value is decoded from, as the app decodes it from the server.
    private static func decoded(_ value: JSONValue, _ type: String) -> String {
        let json = "\(value)".contains("\"#") ? SwiftNames.quoted("\(value)") : "#\"\(value)\"#"
        return "try! ConfigJSON(\n            json: \(json).utf8\n        )"
            + (type == "ConfigJSON" ? "" : ".decoded(as: \(type).self)")
    }
}
