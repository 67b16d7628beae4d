public import AlmanacJSON

/// The notes of one user on some server, as simulated devices see them.
public protocol SimulatedServer {
    /// Sends a batch of actions, written as JSON, and gives their results.
    func act(_ actions: String) throws -> [JSONObject]

    /// Sends two copies of a batch, at the same moment if it can, and gives the results of both.
    func actTwice(_ actions: String) throws -> [[JSONObject]]

    /// Asks for `notes?since=…` and the like, which must be there.
    func read(_ path: String) throws -> JSONObject
}

extension SimulatedServer {
    public func actTwice(_ actions: String) throws -> [[JSONObject]] {
        [try act(actions), try act(actions)]
    }
}

/// Something that a server must never answer.
public struct Surprise: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension JSONObject {
    func text(_ name: String) -> String? { self[name]?.stringValue }
    func number(_ name: String) -> Int64? { self[name]?.numberValue?.int64 }

    /// The texts of an array member.
    func texts(_ name: String) throws -> [String] {
        guard let elements = self[name]?.arrayValue else { throw Surprise("no \(name)") }
        return elements.compactMap(\.stringValue)
    }
}
