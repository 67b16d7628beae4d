import AlmanacCryptography
import AlmanacJSON
import AlmanacTestSupport
import Testing

/// A file that a user sends to the instance in pieces, with retries as a client makes them.
struct AttachmentUpload {
    let client: NotesClient
    let id: String
    let bytes: [UInt8]
    let preview: [UInt8]?

    static let pieceBytes = 1 << 20
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("pixels".utf8)

    init(_ client: NotesClient, _ bytes: [UInt8] = Self.png, preview: [UInt8]? = nil, id: String = Self.newID()) {
        (self.client, self.bytes, self.preview, self.id) = (client, bytes, preview, id)
    }

    /// Returns an id as clients make them.
    static func newID() -> String {
        String((0..<26).map { _ in "abcdefghijklmnopqrstuvwxyz234567".randomElement()! })
    }

    func declare() throws -> HTTPResponse {
        var members: [(name: String, value: JSONValue)] = [
            ("bytes", .number(JSONNumber(bytes.count))), ("sha256", .string(Hex.encode(SHA256.digest(bytes)))),
            ("type", "image/png"), ("name", "Bücher 1.png"),
        ]
        if let preview {
            let declared: JSONValue = [
                "bytes": .number(JSONNumber(preview.count)), "sha256": .string(Hex.encode(SHA256.digest(preview))),
            ]
            members.append(("preview", declared))
        }
        return try client.send("PUT", "attachments/\(id)", "\(JSONValue.object(JSONObject(members)))")
    }

    /// Sends the piece that begins at an offset of the file, or of the preview.
    func send(at offset: Int, part: String = "file") throws -> HTTPResponse {
        let all = part == "file" ? bytes : preview ?? []
        let piece = Array(all[offset..<min(offset + Self.pieceBytes, all.count)])
        return try client.http.send(
            "PATCH", "/\(client.environment)/attachments/\(id)?part=\(part)",
            headers: [("Content-Type", "application/octet-stream"), ("Upload-Offset", "\(offset)")], body: piece)
    }

    func read(part: String = "file", headers: [(String, String)] = []) throws -> HTTPResponse {
        try client.send("GET", "attachments/\(id)?part=\(part)", headers: headers)
    }

    /// Declares and sends everything, and repeats what the server did not answer.
    ///
    /// - Parameter willSend: called before each request that changes something, with its number from 0.
    func finish(willSend: (Int) -> Void = { _ in }) throws {
        var requests = 0
        func answer(_ expected: Int..., send: () throws -> HTTPResponse) throws {
            willSend(requests)
            requests += 1
            try #require(requests < 1000, "the upload makes no progress")
            // A killed worker loses the connection, or nginx answers for it.
            guard let answer = try? send(), ![502, 503, 504].contains(answer.status) else { return }
            try #require(expected.contains(answer.status), "\(answer.outcome): \(answer.text)")
        }
        func offset(of part: String) throws -> Int? {
            guard let head = try? client.send("HEAD", "attachments/\(id)?part=\(part)") else { return nil }
            return head.status == 200 ? head.header("Upload-Offset").flatMap { Int($0) } : nil
        }
        try answer(200, 201) { try declare() }
        while try offset(of: "file") == nil { try answer(200, 201) { try declare() } }
        for (part, length) in [("file", bytes.count), ("preview", preview?.count ?? 0)] where length > 0 {
            while true {
                let offset = try offset(of: part)
                if offset == length { break }
                if let offset { try answer(204, 409) { try send(at: offset, part: part) } }
            }
        }
    }
}
