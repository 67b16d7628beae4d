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
    public var keys: Set<String> { Set(remote.keys).union(defaults.values.keys) }

    /// The value as JSON.
    public subscript(key: String) -> ConfigJSON? { remote[key] ?? defaults.values[key] }

    public func string(_ key: String, default: String) -> String { read(key, "a string", `default`, \.string) }

    public func bool(_ key: String, default: Bool) -> Bool { read(key, "true or false", `default`, \.bool) }

    public func int(_ key: String, default: Int) -> Int { read(key, "a whole number", `default`, \.int) }

    public func double(_ key: String, default: Double) -> Double { read(key, "a number", `default`, \.double) }

    public func url(_ key: String, default: URL) -> URL { read(key, "a URL", `default`, \.url) }

    public func color(_ key: String, default: ConfigColor) -> ConfigColor {
        read(key, "#RGB, #RRGGBB or #RRGGBBAA", `default`, \.color)
    }

    public func date(_ key: String, default: Date) -> Date { read(key, "a time of ISO 8601", `default`, \.date) }

    /// Any type that can be decoded from the value.
    public func decoded<Value: Decodable>(_ key: String, as type: Value.Type, default: Value) -> Value {
        read(key, "\(Value.self)", `default`) { try? $0.decoded(as: type) }
    }

    /// The keys whose values differ between two sets, those that only one of them has included.
    func changes(since earlier: ConfigValues?) -> Set<String> {
        guard let earlier else { return keys }
        return keys.union(earlier.keys).filter { self[$0] != earlier[$0] }
    }

    /// A value of the server that is of the wrong type leaves the app's own default in force, if it has one.
    private func read<Value>(
        _ key: String, _ expected: String, _ fallback: Value, _ take: (ConfigJSON) -> Value?
    ) -> Value {
        for value in [remote[key], defaults.values[key]].compactMap(\.self) {
            if let taken = take(value) { return taken }
            reporter.report(.wrongType(key: key, expected: expected, found: value.kind.rawValue))
        }
        return fallback
    }
}
