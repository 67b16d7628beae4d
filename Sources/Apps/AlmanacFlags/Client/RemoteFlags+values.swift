internal import Foundation
public import Observation

extension RemoteFlags: Observable {}

/// The visible flags, one at a time. Flags that belong together are better read from one ``values``.
extension RemoteFlags {
    /// The value of a flag, or its default.
    public nonisolated subscript<Value>(key: FlagKey<Value>) -> Value { state.read(key.name) { $0[key] } }

    /// True or false.
    public nonisolated func bool(_ key: String, default: Bool) -> Bool {
        state.read(key) { $0.bool(key, default: `default`) }
    }

    /// A text.
    public nonisolated func string(_ key: String, default: String) -> String {
        state.read(key) { $0.string(key, default: `default`) }
    }

    /// A number without a fraction; `3.0` is one too.
    public nonisolated func int(_ key: String, default: Int) -> Int {
        state.read(key) { $0.int(key, default: `default`) }
    }

    /// Any number.
    public nonisolated func double(_ key: String, default: Double) -> Double {
        state.read(key) { $0.double(key, default: `default`) }
    }

    /// Any type that can be decoded from the value.
    public nonisolated func decoded<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value {
        state.read(key) { $0.decoded(key, as: type, default: `default`) }
    }

    /// The value of a flag, or its default, and how it came to be.
    public nonisolated func details<Value>(_ key: FlagKey<Value>) -> FlagDetails<Value> {
        state.read(key.name) { $0.details(key) }
    }

    /// The value of a flag, or its default, and how it came to be. The default says the type.
    public nonisolated func details<Value: Decodable & Sendable>(
        _ key: String, default: Value
    ) -> FlagDetails<Value> {
        state.read(key) { $0.details(key, default: `default`) }
    }
}

/// Previews.
extension RemoteFlags {
    /// A client of given values that asks no server, for previews and tests.
    ///
    /// ``fetch(force:)`` fails, as it does without a network.
    public init(preview values: [String: FlagData]) {
        self.init(
            FlagOptions(environment: URL(filePath: "/preview"), transport: NoTransport()),
            preview: values.mapValues { FlagAnswer(value: $0.text, reason: FlagReason.static.rawValue) })
    }

    private struct NoTransport: ClientTransport {
        func open(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<ByteStream> {
            throw .unreachable("a preview has no server")
        }
    }
}
