#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A picture or another file of a user's notes.
public struct StoredAttachment: Sendable, Identifiable, Hashable {
    /// The id, the same on every device: 26 characters of `a` to `z` and `2` to `7`.
    public let id: String
    /// The file's name; empty if the attachment was removed before this device knew its name.
    public let name: String
    /// The media type, such as `image/png`.
    public let type: String
    /// The length of the file, in bytes.
    public let bytes: Int64
    /// The width and height of a picture, in pixels; nil if unknown.
    public let size: PixelSize?
    /// True if there is a smaller picture for lists: see ``NotesStore/file(of:_:)``.
    public let hasPreview: Bool
    /// The time when the file was attached, on any device.
    public let createdAt: Date
    /// The state of the transfer to the server.
    public let status: Status
    /// True if this device has the file, so that ``NotesStore/file(of:_:)`` needs no network.
    public let isHere: Bool

    /// The state of an attachment's transfer to the server.
    public enum Status: Sendable, Hashable {
        /// The file is on this device and waits to be sent.
        case kept
        /// The server has received this number of bytes.
        case sending(Int64)
        /// The server has the file.
        case stored
        /// The server refused the file, which remains on this device: see ``NotesStore/sendAgain(attachment:)``.
        case refused(StoredNote.Problem)
        /// The attachment was removed, on any device. A reference to it shows nothing any more.
        case removed
    }

    /// The size of a picture, in pixels.
    public struct PixelSize: Sendable, Hashable {
        /// The width, from 1 to 65,535.
        public let width: Int
        /// The height, from 1 to 65,535.
        public let height: Int

        /// Creates a size.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// The parts of an attachment.
    public enum Part: String, Sendable {
        /// The attached file itself.
        case file
        /// A smaller picture, made by the app that attached the file.
        case preview
    }

    /// True for the five types of pictures that notes show in the text: PNG, JPEG, GIF, WebP and AVIF.
    public var isPicture: Bool { MediaType.pictures.contains(type) }

    /// The path for a reference in a note's text: `attachments/<id>.png`. An exported folder has the file at this path.
    public var path: String { "attachments/\(fileName)" }

    /// The Markdown for a note's text: `![name](attachments/<id>.png)` for a picture, and
    /// `[name](attachments/<id>.pdf)` for another file.
    public var markdown: String {
        let label = name.replacing(/[\\\[\]]/) { "\\\($0.output)" }
        return "\(isPicture ? "!" : "")[\(label)](\(path))"
    }

    var fileName: String { Self.fileName(id, name) }

    /// Returns the name of a file on this device: the id, with the extension of its original name if that is plain.
    static func fileName(_ id: String, _ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return id }
        let ending = name.utf8[dot...].dropFirst()
        guard (1...10).contains(ending.count),
            ending.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) })
        else { return id }
        return "\(id).\(String(decoding: ending, as: UTF8.self).lowercased())"
    }
}

/// Media types of files.
enum MediaType {
    /// The types of pictures that the server serves as such.
    static let pictures: Set = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]

    private static let endings = [
        "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "json":
            "application/json", "zip": "application/zip", "svg": "image/svg+xml", "heic": "image/heic",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "mp4": "video/mp4", "mov": "video/quicktime",
    ]

    /// Returns the type of a file: of a picture by its first bytes, of another file by the end of its name.
    ///
    /// - Parameter first: at least 12 bytes, unless the file is shorter.
    static func of(_ first: [UInt8], named name: String) -> String {
        if let type = picture(first) { return type }
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return endings[ending] ?? "application/octet-stream"
    }

    /// Returns the type of a picture; nil for another file.
    static func picture(_ first: [UInt8]) -> String? {
        if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if first.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if first.starts(with: "GIF87a".utf8) || first.starts(with: "GIF89a".utf8) { return "image/gif" }
        if first.starts(with: "RIFF".utf8), first.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        let brand = first.dropFirst(8).prefix(4)
        guard first.dropFirst(4).starts(with: "ftyp".utf8),
            brand.elementsEqual("avif".utf8) || brand.elementsEqual("avis".utf8)
        else { return nil }
        return "image/avif"
    }
}
