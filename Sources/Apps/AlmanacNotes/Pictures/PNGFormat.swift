/// PNG files (W3C PNG 3): chunks with a length, a type and a checksum.
enum PNGFormat: PictureFormat {
    /// The chunks that an image is decoded and shown with.
    private static let kept: Set = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]

    /// The offset of the first chunk.
    private static let firstChunk: Int64 = 8

    /// A chunk, which may be cut off if it is the last one.
    private struct Chunk {
        let kind: String
        let from: Int64
        let length: Int64

        var body: Range<Int64> { from + 8..<from + 8 + length }
        var end: Int64 { from + 12 + length }
        /// True for image data, which may be cut off.
        var isData: Bool { kind == "IDAT" || kind == "fdAT" }

        /// Returns the chunk at an offset; nil at the end of the file.
        init?(_ picture: FileWindow, at: Int64) throws(FileFailure) {
            guard at + 8 <= picture.count else { return nil }
            (kind, from) = (try picture.text(at + 4, bytes: 4), at)
            length = try picture.number(at, bytes: 4)
        }

        /// The offset of the next chunk.
        func next(_ picture: FileWindow) -> Int64 { kind == "IEND" ? picture.count : end }
    }

    static func clean(_ picture: FileWindow, to copy: inout DraftFile) throws(FileFailure) -> Bool {
        try copy.keep(0..<firstChunk, of: picture)
        var (at, hasImage, hasExif) = (firstChunk, false, false)
        while let chunk = try Chunk(picture, at: at) {
            if at == firstChunk, chunk.kind != "IHDR" { return false }
            if chunk.end > picture.count, !chunk.isData { break }
            if chunk.kind == "IDAT" { hasImage = true }
            if kept.contains(chunk.kind) {
                try copy.keep(at..<chunk.end, of: picture)
            } else if chunk.kind == "eXIf", !hasExif {
                hasExif = true
                let orientation = try Exif.orientation(in: chunk.body, of: picture)
                if orientation != 1 { try copy.put(exif(Exif.only(orientation))) }
            }
            at = chunk.next(picture)
        }
        return hasImage
    }

    static func size(of picture: FileWindow) throws(FileFailure) -> StoredAttachment.PixelSize? {
        var (at, size) = (firstChunk, nil as StoredAttachment.PixelSize?)
        while let chunk = try Chunk(picture, at: at), chunk.end <= picture.count || chunk.isData {
            if at == firstChunk {
                guard chunk.kind == "IHDR", chunk.length == 13 else { return nil }
                let width = try picture.number(chunk.body.lowerBound, bytes: 4)
                let height = try picture.number(chunk.body.lowerBound + 4, bytes: 4)
                size = StoredAttachment.PixelSize(width: Int(clamping: width), height: Int(clamping: height))
            }
            if chunk.kind == "IDAT" { break }
            if chunk.kind == "eXIf" {
                let orientation = try Exif.orientation(in: chunk.body, of: picture)
                if Exif.isTurned(orientation) { return size?.turned(orientation) }
            }
            at = chunk.next(picture)
        }
        return size
    }

    /// Returns a chunk with an Exif block.
    private static func exif(_ block: [UInt8]) -> [UInt8] {
        let content = Array("eXIf".utf8) + block
        return [0, 0, 0, UInt8(block.count)] + content + bigEndian(checksum(of: content))
    }

    /// Returns the CRC-32 of bytes (W3C PNG 3, annex D).
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
