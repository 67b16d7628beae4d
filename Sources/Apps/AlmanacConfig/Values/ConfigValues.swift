public import Foundation

/// The source of the visible values.
public enum ConfigOrigin: String, Sendable {
    /// The app's bundled defaults.
    case bundled
    /// The cache file of an earlier run.
    case cached
    /// The server, in this run.
    case fetched
}

/// A consistent set of values: the server's values over the app's defaults.
///
/// Reading never fails: for a missing value or a value of another type, the default is returned.
public struct ConfigValues: Sendable {
    private let remote: [String: ConfigJSON]
    private let defaults: ConfigDefaults
    private let reporter: ConfigReporter
    /// The source of the set.
    public let origin: ConfigOrigin
    /// The environment's semantic version at this revision; nil for bundled values.
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

    /// The keys that have a value.
    public var keys: Set<String> { Set(remote.keys).union(defaults.all.keys) }

    /// Returns the value as JSON.
    public subscript(key: String) -> ConfigJSON? { remote[key] ?? defaults.all[key] }

    /// Returns the value of a key, or the key's default.
    public subscript<Value>(key: ConfigKey<Value>) -> Value { read(key.name, key.defaultValue) }

    /// Returns a string value, or the default.
    public func string(_ key: String, default: String) -> String { read(key, `default`) }

    /// Returns a Boolean value, or the default.
    public func bool(_ key: String, default: Bool) -> Bool { read(key, `default`) }

    /// Returns an integer value, or the default.
    public func int(_ key: String, default: Int) -> Int { read(key, `default`) }

    /// Returns a number, or the default.
    public func double(_ key: String, default: Double) -> Double { read(key, `default`) }

    /// Returns a URL from a string value, or the default. Characters that need escaping make the URL invalid.
    public func url(_ key: String, default: URL) -> URL { read(key, `default`) }

    /// Returns a colour from a string value of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`, or the default.
    public func color(_ key: String, default: ConfigColor) -> ConfigColor { read(key, `default`) }

    /// Returns a date from an ISO 8601 string value, or the default.
    public func date(_ key: String, default: Date) -> Date { read(key, `default`) }

    /// Returns a value decoded as any type, or the default.
    public func decoded<Value: Decodable>(_ key: String, as type: Value.Type, default: Value) -> Value {
        read(key, `default`)
    }

    /// Returns the keys whose values differ from an earlier set, including keys that only one of the sets contains.
    package func changes(since earlier: ConfigValues?) -> Set<String> {
        guard let earlier else { return keys }
        return keys.union(earlier.keys).filter { self[$0] != earlier[$0] }
    }

    /// Returns the server's value; if it has the wrong type, the app's bundled value; else the fallback.
    func read<Value: Decodable>(_ key: String, _ fallback: Value) -> Value {
        let values = [remote[key], defaults.all[key]].compactMap(\.self)
        // In the first run, the server has not responded yet, so no key is missing.
        if values.isEmpty, origin != .bundled { reporter.report(.missing(key: key)) }
        for value in values {
            if let taken = value.value(as: Value.self) { return taken }
            reporter.report(
                .wrongType(key: key, expected: ConfigJSON.form(of: Value.self), found: value.found(for: Value.self)))
        }
        return fallback
    }

    /// Returns true if both sets contain the same values from the server.
    func hasSameRemote(as other: ConfigValues) -> Bool { remote == other.remote }
}
