internal import Foundation
public import Observation

extension RemoteFlags: Observable {}

/// Accessors for one visible flag. Read related flags from one ``values`` instead.
extension RemoteFlags {
    /// Returns the value of a flag, or its default.
    public nonisolated subscript<Value>(key: FlagKey<Value>) -> Value { state.read(key.name) { $0[key] } }

    /// Returns a Boolean value, or the default.
    public nonisolated func bool(_ key: String, default: Bool) -> Bool {
        state.read(key) { $0.bool(key, default: `default`) }
    }

    /// Returns a string value, or the default.
    public nonisolated func string(_ key: String, default: String) -> String {
        state.read(key) { $0.string(key, default: `default`) }
    }

    /// Returns an integer value, including `3.0`, or the default.
    public nonisolated func int(_ key: String, default: Int) -> Int {
        state.read(key) { $0.int(key, default: `default`) }
    }

    /// Returns a number, or the default.
    public nonisolated func double(_ key: String, default: Double) -> Double {
        state.read(key) { $0.double(key, default: `default`) }
    }

    /// Returns a value decoded as any type, or the default.
    public nonisolated func decoded<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value {
        state.read(key) { $0.decoded(key, as: type, default: `default`) }
    }

    /// Returns the value of a flag, or its default, with the reason.
    public nonisolated func details<Value>(_ key: FlagKey<Value>) -> FlagDetails<Value> {
        state.read(key.name) { $0.details(key) }
    }

    /// Returns the value of a flag, or the default, with the reason. The default determines the type.
    public nonisolated func details<Value: Decodable & Sendable>(_ key: String, default: Value) -> FlagDetails<Value> {
        state.read(key) { $0.details(key, default: `default`) }
    }
}

extension RemoteFlags {
    /// Creates a client with fixed values and without a server, for previews and tests.
    ///
    /// ``fetch(force:)`` fails like a client without a network.
    public init(preview values: [String: FlagData]) {
        self.init(
            FlagOptions(environment: URL(filePath: "/preview"), transport: NoTransport()),
            preview: values.mapValues { FlagEvaluation(value: $0.text, reason: FlagReason.static.rawValue) })
    }

    private struct NoTransport: ClientTransport {
        func open(_ request: TransportRequest) throws(TransportFailure) -> TransportResponse<ByteStream> {
            throw .unreachable("a preview has no server")
        }
    }
}
