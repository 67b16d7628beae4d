/// The media types that a browser may show in a page, recognized by a file's first bytes.
enum ShownType: String, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"

    /// The number of first bytes that decide.
    static let prefixBytes = 64

    init?(_ start: some Collection<UInt8>) {
        let start = Array(start.prefix(Self.prefixBytes))
        func has(_ bytes: some Collection<UInt8>, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: bytes)
        }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a".utf8) || has("GIF89a".utf8) {
            self = .gif
        } else if has("RIFF".utf8), has("WEBP".utf8, at: 8) {
            self = .webp
        } else if has("ftyp".utf8, at: 4), has("avif".utf8, at: 8) || has("avis".utf8, at: 8) {
            self = .avif
        } else {
            return nil
        }
    }
}
