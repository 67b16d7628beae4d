public import AlmanacJSON

/// The notes of one user on a server, as simulated devices access them.
public protocol SimulatedServer {
    /// Sends a batch of actions in JSON and returns their results.
    func act(_ actions: String) throws -> [JSONObject]

    /// Sends a batch twice, at the same moment if possible, and returns the results of both.
    func actTwice(_ actions: String) throws -> [[JSONObject]]

    /// Reads a path such as `notes?since=…`, which must exist.
    func read(_ path: String) throws -> JSONObject
}

extension SimulatedServer {
    public func actTwice(_ actions: String) throws -> [[JSONObject]] { [try act(actions), try act(actions)] }
}

/// A response or a final state that a test must never see.
public struct UnexpectedResult: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

extension JSONObject {
    func text(_ name: String) -> String? { self[name]?.stringValue }
    func number(_ name: String) -> Int64? { self[name]?.numberValue?.int64 }

    func texts(_ name: String) throws -> [String] {
        guard let elements = self[name]?.arrayValue else { throw UnexpectedResult("no \(name)") }
        return elements.compactMap(\.stringValue)
    }
}
