import AlmanacCryptography
import AlmanacHTTP
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// The ids of attachments in tests.
enum AttachmentName {
    static let one = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
    static let two = "bbbbbbbbbbbbbbbbbbbbbbbbbb"
    static let three = "cccccccccccccccccccccccccc"
}

extension NotesInstance {
    /// Declares an attachment with the hash and length of some bytes.
    ///
    /// - Parameter members: replace or extend the members of the declaration.
    func declare(
        _ id: String, _ bytes: [UInt8], preview: [UInt8]? = nil, as user: String = "alice",
        _ members: JSONValue = [:]
    ) throws -> NotesResponse {
        let members = try #require(members.objectValue)
        var declaration: [(name: String, value: JSONValue)] = [
            ("bytes", .number(JSONNumber(bytes.count))), ("sha256", .string(Hex.encode(SHA256.digest(bytes)))),
            ("type", "image/png"), ("name", "beach.png"),
        ]
        if let preview {
            declaration.append(
                (
                    "preview",
                    [
                        "bytes": .number(JSONNumber(preview.count)),
                        "sha256": .string(Hex.encode(SHA256.digest(preview))),
                    ]
                ))
        }
        declaration = declaration.filter { members[$0.name] == nil } + members.members
        return try call("PUT", "/attachments/\(id)", "\(JSONValue.object(JSONObject(declaration)))", as: user)
    }

    /// Sends one piece.
    func send(
        _ piece: [UInt8], to id: String, at offset: Int, part: AttachmentPart = .file, as user: String = "alice"
    ) throws -> NotesResponse {
        try call(
            "PATCH", "/attachments/\(id)?part=\(part.rawValue)", bytes: piece, as: user,
            [("Upload-Offset", "\(offset)"), ("Content-Type", "application/octet-stream")])
    }

    /// Declares and sends an attachment in one piece.
    func attach(_ id: String, _ bytes: [UInt8], preview: [UInt8]? = nil, as user: String = "alice") throws {
        _ = try declare(id, bytes, preview: preview, as: user).expecting(201)
        _ = try send(bytes, to: id, at: 0, as: user).expecting(204)
        if let preview { _ = try send(preview, to: id, at: 0, part: .preview, as: user).expecting(204) }
    }
}
