public import AlmanacJSON

/// An event as a reader of a stream gets it.
public struct SentEvent: Sendable {
    /// The event's own `id`; nil where it has none.
    public let id: String?
    /// The object that its data holds.
    public let data: JSONObject

    public var type: String { text("type") ?? "" }

    public func text(_ name: String) -> String? { data[name]?.stringValue }

    public func number(_ name: String) -> Int64? { data[name]?.numberValue?.int64 }
}

extension SentEvent: CustomStringConvertible {
    public var description: String { "\(id ?? "-") \(JSONValue.object(data))" }
}
