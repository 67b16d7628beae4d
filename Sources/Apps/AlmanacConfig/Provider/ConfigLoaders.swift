public import Foundation

/// A document with what tells it from another one.
public struct LoadedConfig: Sendable, Equatable {
    public var data: Data
    /// The server's `ETag`; nil when it has none.
    public var validator: String?

    public init(data: Data, validator: String? = nil) {
        self.data = data
        self.validator = validator
    }
}

/// Keeps the last document on the device.
public protocol LocalConfigLoader: Sendable {
    /// - Returns: nil when there is none yet.
    func load() throws -> LoadedConfig?
    func save(_ document: LoadedConfig) throws
}

/// Brings documents from a server.
public protocol RemoteConfigLoader: Sendable {
    /// - Parameter validator: that of the document that is here already.
    /// - Returns: nil when that one is still the newest.
    func load(validator: String?) async throws -> LoadedConfig?
}
