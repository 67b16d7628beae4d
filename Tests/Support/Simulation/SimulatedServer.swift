public import AlmanacJSON

/// The notes of one user on a server, as simulated devices access them.
public protocol SimulatedServer: SendableMetatype {
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
    public func text(_ name: String) -> String? { self[name]?.stringValue }
    public func number(_ name: String) -> Int64? { self[name]?.numberValue?.int64 }

    /// The result of an action in short form: `applied`, `rejected note-gone`, `merged restored`.
    public var outcome: String {
        let type = self["problem"]?.objectValue?.text("type")
        let problem = type.map { " " + $0.dropFirst("urn:almanac:problem:".count) }
        return (text("status") ?? "?") + (problem ?? "") + (self["restored"] == .some(true) ? " restored" : "")
    }

    func texts(_ name: String) throws -> [String] {
        guard let elements = self[name]?.arrayValue else { throw UnexpectedResult("no \(name)") }
        return elements.compactMap(\.stringValue)
    }
}
