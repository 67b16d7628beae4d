public import Foundation
public import Observation

extension ConfigClient: Observable {}

/// The visible values, one at a time. Values that belong together are better read from one ``values``.
extension ConfigClient {
    /// The value of a key, or its default.
    public nonisolated subscript<Value>(key: ConfigKey<Value>) -> Value { state.read(key.name) { $0[key] } }

    /// A text.
    public nonisolated func string(_ key: String, default: String) -> String {
        state.read(key) { $0.string(key, default: `default`) }
    }

    /// True or false.
    public nonisolated func bool(_ key: String, default: Bool) -> Bool {
        state.read(key) { $0.bool(key, default: `default`) }
    }

    /// A number without a fraction.
    public nonisolated func int(_ key: String, default: Int) -> Int {
        state.read(key) { $0.int(key, default: `default`) }
    }

    /// Any number.
    public nonisolated func double(_ key: String, default: Double) -> Double {
        state.read(key) { $0.double(key, default: `default`) }
    }

    /// A text that is a URL as it stands.
    public nonisolated func url(_ key: String, default: URL) -> URL {
        state.read(key) { $0.url(key, default: `default`) }
    }

    /// A text with a time of ISO 8601.
    public nonisolated func date(_ key: String, default: Date) -> Date {
        state.read(key) { $0.date(key, default: `default`) }
    }

    /// A text of the form `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    public nonisolated func color(_ key: String, default: ConfigColor) -> ConfigColor {
        state.read(key) { $0.color(key, default: `default`) }
    }

    /// Any type that can be decoded from the value.
    public nonisolated func decoded<Value: Decodable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value {
        state.read(key) { $0.decoded(key, as: type, default: `default`) }
    }
}

/// Previews.
extension ConfigClient {
    /// A client of given values that asks no server, for previews and tests.
    ///
    /// ``fetch(force:)`` fails, as it does without a network.
    public init(preview values: ConfigDefaults) {
        self.init(
            ConfigOptions(environment: URL(filePath: "/preview"), defaults: values, transport: NoTransport()))
    }

    private struct NoTransport: ClientTransport {
        func open(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<ByteStream> {
            throw .unreachable("a preview has no server")
        }
    }
}
