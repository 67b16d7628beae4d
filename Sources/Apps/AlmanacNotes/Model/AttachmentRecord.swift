#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of one attachment on this device.
struct AttachmentRecord: Sendable, Hashable {
    let id: String
    var name: String
    /// The media type.
    var type: String
    var file: Content
    var preview: Content?
    /// The width and height of a picture, in pixels; nil if unknown.
    var size: StoredAttachment.PixelSize?
    var state: State
    /// The number of bytes of both parts that the server has received.
    var sentBytes: Int64 = 0
    /// The reason for the server's refusal.
    var problem: StoredNote.Problem?
    /// The time in milliseconds since 1970.
    var createdAt: Int64

    /// Raw values are stored in files.
    enum State: Int64, Sendable {
        /// The file is to be sent.
        case kept = 0
        case stored = 1
        case refused = 2
        /// The removal is to be sent.
        case removing = 3
        case removed = 4
    }

    /// The length and hash of a part.
    struct Content: Sendable, Hashable {
        let bytes: Int64
        /// 64 lower-case hexadecimal digits.
        let sha256: String
    }

    /// Returns an id for random bytes.
    ///
    /// - Parameter bytes: 16 random bytes.
    static func id(_ bytes: [UInt8]) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var id: [UInt8] = []
        var (pending, bitCount) = (0, 0)
        // The last character has three bits.
        for byte in bytes + [0] where id.count < 26 {
            pending = (pending << 8 | Int(byte)) & 0xFFFF
            bitCount += 8
            while bitCount >= 5, id.count < 26 {
                bitCount -= 5
                id.append(alphabet[pending >> bitCount & 31])
            }
        }
        return String(decoding: id, as: UTF8.self)
    }

    func content(of part: StoredAttachment.Part) -> Content? { part == .file ? file : preview }

    /// Returns the name of a part's file on this device.
    func fileName(of part: StoredAttachment.Part) -> String {
        part == .file ? StoredAttachment.fileName(id, name) : "\(id)-preview"
    }

    var status: StoredAttachment.Status {
        switch state {
        case .kept: sentBytes == 0 ? .kept : .sending(sentBytes)
        case .stored: .stored
        case .refused: .refused(problem ?? StoredNote.Problem(type: "", detail: ""))
        case .removing, .removed: .removed
        }
    }
}

extension StoredAttachment {
    init(_ record: AttachmentRecord, isHere: Bool) {
        id = record.id
        name = record.name
        type = record.type
        bytes = record.file.bytes
        size = record.size
        hasPreview = record.preview != nil
        createdAt = Date(milliseconds: record.createdAt)
        status = record.status
        self.isHere = isHere
    }
}
