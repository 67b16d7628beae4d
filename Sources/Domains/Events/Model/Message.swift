internal import AlmanacJSON

/// One event: a JSON object with a `type`, sent as a `message` of Server-Sent Events (HTML standard §9.2).
struct Message: Sendable, Equatable {
    let type: String
    /// The object's bytes, in one line.
    let data: [UInt8]

    /// - Parameter members: writes the members behind the `type`.
    init(_ type: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
        self.type = type
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", type)
        members(&writer)
        writer.endObject()
        data = writer.bytes
    }

    /// The event as it stands in the stream.
    ///
    /// - Parameter id: nil leaves the reader's own as it was.
    func bytes(id: EventID?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 96)
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "event: message\ndata: ".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }
}
