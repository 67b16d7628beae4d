public import Foundation

/// Where the values come from that an app sees.
public enum ConfigOrigin: String, Sendable {
    /// From the defaults that the app ships with.
    case bundled
    /// From the file that an earlier run left.
    case cached
    /// From the server, in this run.
    case fetched
}

/// One consistent set of values: what the server said, over the defaults of the app.
///
/// Reading never fails: a key without a value, or with one of another type, gives the default.
public struct ConfigValues: Sendable {
    /// The values of the server.
    private let remote: [String: ConfigJSON]
    private let defaults: ConfigDefaults
    private let reporter: ConfigReporter
    /// Where the set comes from.
    public let origin: ConfigOrigin
    /// The semantic version of the environment at the set's revision; nil for bundled values.
    public let version: String?
    /// The revision of the set; nil for bundled values.
    public let revision: Int64?

    init(
        _ remote: [String: ConfigJSON], version: String?, revision: Int64?, origin: ConfigOrigin,
        defaults: ConfigDefaults, reporter: ConfigReporter
    ) {
        self.remote = remote
        self.version = version
        self.revision = revision
        self.origin = origin
        self.defaults = defaults
        self.reporter = reporter
    }

    /// All keys that have a value.
    public var keys: Set<String> { Set(remote.keys).union(defaults.all.keys) }

    /// The value as JSON.
    public subscript(key: String) -> ConfigJSON? { remote[key] ?? defaults.all[key] }

    /// The value of a key, or its default.
    public subscript<Value>(key: ConfigKey<Value>) -> Value { read(key.name, key.defaultValue) }

    /// A text.
    public func string(_ key: String, default: String) -> String { read(key, `default`) }

    /// True or false.
    public func bool(_ key: String, default: Bool) -> Bool { read(key, `default`) }

    /// A number without a fraction.
    public func int(_ key: String, default: Int) -> Int { read(key, `default`) }

    /// Any number.
    public func double(_ key: String, default: Double) -> Double { read(key, `default`) }

    /// A text that is a URL as it stands.
    public func url(_ key: String, default: URL) -> URL { read(key, `default`) }

    /// A text of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public func color(_ key: String, default: ConfigColor) -> ConfigColor { read(key, `default`) }

    /// A text with a time of ISO 8601.
    public func date(_ key: String, default: Date) -> Date { read(key, `default`) }

    /// Any type that can be decoded from the value.
    public func decoded<Value: Decodable>(_ key: String, as type: Value.Type, default: Value) -> Value {
        read(key, `default`)
    }

    /// The keys whose values differ between two sets, those that only one of them has included.
    package func changes(since earlier: ConfigValues?) -> Set<String> {
        guard let earlier else { return keys }
        return keys.union(earlier.keys).filter { self[$0] != earlier[$0] }
    }

    /// A value of the server that is of the wrong type leaves the app's own default in force, if it has one.
    func read<Value: Decodable>(_ key: String, _ fallback: Value) -> Value {
        for value in [remote[key], defaults.all[key]].compactMap(\.self) {
            if let taken = value.value(as: Value.self) { return taken }
            reporter.report(
                .wrongType(key: key, expected: ConfigJSON.form(of: Value.self), found: value.found(for: Value.self)))
        }
        return fallback
    }

    /// Whether the server has said the same in both.
    func hasSameRemote(as other: ConfigValues) -> Bool { remote == other.remote }
}
