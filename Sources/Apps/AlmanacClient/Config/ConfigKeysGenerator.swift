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

/// A generator of code with an environment's keys, for apps in several languages.
public struct ConfigKeysGenerator {
    private let environment: String
    private let version: String
    private let major: Int64?
    private let keys: [TypedKey]

    /// - Parameters:
    ///   - environment: the name of the environment.
    ///   - version: the newest version of the entries' major.
    ///   - entries: the entries as that major sees them, sorted by key.
    ///   - majors: all majors; empty if the token may not read them.
    public init(environment: String, version: String, entries: [DescribedEntry], majors: [KeptMajor]) {
        self.environment = environment
        self.version = version
        let major = version.split(separator: ".").first.flatMap { Int64($0) }
        self.major = major
        keys = entries.map { entry in
            TypedKey(
                entry.key, ValueShape(of: entry.value), default: entry.value, description: entry.description,
                notes: Self.notes(entry.key, major: major, among: majors))
        }
    }

    /// Returns the content of the source file.
    public func text(in language: KeyLanguage) -> String {
        let header = """
            // The config of \(environment), version \(version).
            // Written by 'almanac config generate \(language.rawValue)'; not to be edited.
            """
        return switch language {
        case .swift: SwiftKeys.config(keys, major: major, header: header)
        case .typescript: TypeScriptKeys.config(keys, major: major, header: header)
        case .kotlin: KotlinKeys.config(keys, major: major, header: header)
        }
    }

    /// Returns the comment lines about the value that other majors see.
    private static func notes(_ key: String, major: Int64?, among majors: [KeptMajor]) -> [String] {
        majors.filter { $0.keeps(key) }.map { other in
            other.major == major
                ? "Only builds of major \(other.major) see it: the newest config has no key of this type."
                : "Builds of major \(other.major) see another value, because they know the key with another type."
        }
    }
}
