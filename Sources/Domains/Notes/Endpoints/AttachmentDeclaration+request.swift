internal import AlmanacAttachments
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

extension AttachmentDeclaration {
    private static let maxTextBytes = 255
    private static let maxPixels: Int64 = 65_535

    /// Reads the body `{bytes, sha256, type, name, width?, height?, preview?: {bytes, sha256}}`.
    init(_ request: Request, _ limits: Limits) throws {
        try request.contains("application/json")
        let object = try request.json(limits.json).members([
            "bytes", "sha256", "type", "name", "width", "height", "preview",
        ])
        type = try Self.text(object, "type")
        name = try Self.text(object, "name")
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(UInt8(ascii: "\\")) else {
            throw AttachmentRefusal.invalidDeclaration("'name' must be the name of a file, without / and \\")
        }
        width = try Self.pixels(object, "width")
        height = try Self.pixels(object, "height")
        file = try DeclaredBytes(object, .file, limit: limits.attachmentBytes)
        preview = try Self.present(object, "preview").map { value in
            try DeclaredBytes(
                try value.members(["bytes", "sha256"]), .preview, limit: limits.attachmentPreviewBytes)
        }
    }

    /// Returns a member; nil if it is missing or null.
    private static func present(_ object: JSONObject, _ name: String) -> JSONValue? {
        object[name].flatMap { $0 == .null ? nil : $0 }
    }

    private static func text(_ object: JSONObject, _ name: String) throws(AttachmentRefusal) -> String {
        guard let text = object[name]?.stringValue, (1...maxTextBytes).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw .invalidDeclaration(
                "'\(name)' must be a text of 1 to \(maxTextBytes) bytes without control characters")
        }
        return text
    }

    private static func pixels(_ object: JSONObject, _ name: String) throws(AttachmentRefusal) -> Int? {
        guard let value = present(object, name) else { return nil }
        guard let number = value.numberValue?.int64, (1...maxPixels).contains(number) else {
            throw .invalidDeclaration("'\(name)' must be a whole number from 1 to \(maxPixels)")
        }
        return Int(number)
    }
}

extension DeclaredBytes {
    fileprivate init(_ object: JSONObject, _ part: AttachmentPart, limit: Int) throws(AttachmentRefusal) {
        guard let count = object["bytes"]?.numberValue?.int64, count >= 0 else {
            throw .invalidDeclaration("'bytes' must be the number of bytes")
        }
        guard let hash = object["sha256"]?.stringValue.flatMap({ BlobHash($0) }) else {
            throw .invalidDeclaration("'sha256' must be 64 lower-case hexadecimal digits")
        }
        guard count > 0 else { throw .empty(part) }
        guard count <= limit else { throw .tooLarge(part, bytes: count, limit: limit) }
        self.init(count: count, hash: hash)
    }
}
