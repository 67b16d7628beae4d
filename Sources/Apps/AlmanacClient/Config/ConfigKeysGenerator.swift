public import AlmanacJSON

/// An entry of the config as apps see it.
public struct DescribedEntry: Sendable {
    /// The key on the server.
    public let key: String
    public let value: JSONValue
    /// The purpose of the entry; may be empty.
    public let description: String

    public init(key: String, value: JSONValue, description: String) {
        (self.key, self.value, self.description) = (key, value, description)
    }
}

/// A major version with the keys that it still sees although the newest config has removed or retyped them.
public struct KeptMajor: Sendable, Equatable {
    public let major: Int64
    /// The newest version of this major.
    public let version: String
    public let isCurrent: Bool
    public let keeps: [String]

    public init(major: Int64, version: String, isCurrent: Bool, keeps: [String]) {
        (self.major, self.version, self.isCurrent, self.keeps) = (major, version, isCurrent, keeps)
    }

    /// Returns true if this is an older major whose builds still see the key.
    public func keeps(_ key: String) -> Bool { !isCurrent && keeps.contains { $0.utf8.elementsEqual(key.utf8) } }
}

/// A generator of Swift code with an environment's keys, for apps with the library AlmanacConfig.
public struct ConfigKeysGenerator {
    private let environment: String
    private let version: String
    private let major: Int64?
    private let majors: [KeptMajor]
    private var lines: [String] = []
    private var names = SwiftNames(anything: "ConfigJSON", others: ["ConfigColor", "ConfigKey", "ConfigKeys", "URL"])

    /// - Parameters:
    ///   - environment: the name of the environment.
    ///   - version: the newest version of the entries' major.
    ///   - entries: the entries as that major sees them, sorted by key.
    ///   - majors: all majors; empty if the token may not read them.
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

    /// The content of the source file.
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

    /// Returns the comment lines about the value that other majors see.
    private func majorNotes(_ key: String) -> [String] {
        var notes: [String] = []
        for other in majors where other.keeps(key) {
            notes.append(
                other.major == major
                    ? "Only builds of major \(other.major) see it: the newest config has no key of this type."
                    : "Builds of major \(other.major) see another value, because they know the key with another type.")
        }
        return notes.isEmpty ? [] : [""] + notes
    }
}

extension ConfigKeysGenerator {
    /// Returns a Swift expression for a value of a type.
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

    /// Returns an expression that decodes a value from JSON, like a value from the server.
    private static func decoded(_ value: JSONValue, _ type: String) -> String {
        let json = "\(value)".contains("\"#") ? SwiftNames.quoted("\(value)") : "#\"\(value)\"#"
        return "try! ConfigJSON(\n            json: \(json).utf8\n        )"
            + (type == "ConfigJSON" ? "" : ".decoded(as: \(type).self)")
    }
}
