public import Foundation
public import Observation

extension ConfigClient: Observable {}

/// Accessors for one visible value. Read related values from one ``values`` instead.
extension ConfigClient {
    /// Returns the value of a key, or the key's default.
    public nonisolated subscript<Value>(key: ConfigKey<Value>) -> Value { state.read(key.name) { $0[key] } }

    /// Returns a string value, or the default.
    public nonisolated func string(_ key: String, default: String) -> String {
        state.read(key) { $0.string(key, default: `default`) }
    }

    /// Returns a Boolean value, or the default.
    public nonisolated func bool(_ key: String, default: Bool) -> Bool {
        state.read(key) { $0.bool(key, default: `default`) }
    }

    /// Returns an integer value, or the default.
    public nonisolated func int(_ key: String, default: Int) -> Int {
        state.read(key) { $0.int(key, default: `default`) }
    }

    /// Returns a number, or the default.
    public nonisolated func double(_ key: String, default: Double) -> Double {
        state.read(key) { $0.double(key, default: `default`) }
    }

    /// Returns a URL from a string value, or the default. Characters that need escaping make the URL invalid.
    public nonisolated func url(_ key: String, default: URL) -> URL {
        state.read(key) { $0.url(key, default: `default`) }
    }

    /// Returns a date from an ISO 8601 string value, or the default.
    public nonisolated func date(_ key: String, default: Date) -> Date {
        state.read(key) { $0.date(key, default: `default`) }
    }

    /// Returns a colour from a string value of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`, or the default.
    public nonisolated func color(_ key: String, default: ConfigColor) -> ConfigColor {
        state.read(key) { $0.color(key, default: `default`) }
    }

    /// Returns a value decoded as any type, or the default.
    public nonisolated func decoded<Value: Decodable>(_ key: String, as type: Value.Type, default: Value) -> Value {
        state.read(key) { $0.decoded(key, as: type, default: `default`) }
    }
}

extension ConfigClient {
    /// Creates a client with fixed values and without a server, for previews and tests.
    ///
    /// ``fetch(force:)`` fails like a client without a network.
    public init(preview values: ConfigDefaults) {
        self.init(ConfigOptions(environment: URL(filePath: "/preview"), defaults: values, transport: NoTransport()))
    }

    private struct NoTransport: ClientTransport {
        func open(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<ByteStream> {
            throw .unreachable("a preview has no server")
        }
    }
}
