/// WebP files (RFC 9649): a RIFF container of chunks.
enum WebPFormat: PictureFormat {
    /// The chunks of image data, which may be cut off.
    private static let data: Set = ["VP8 ", "VP8L", "ALPH", "ANMF"]
    private static let kept = data.union(["VP8X", "ICCP", "ANIM"])
    private static let (hasXMP, hasExif) = (0x04 as UInt8, 0x08 as UInt8)

    /// The offset of the first chunk.
    private static let firstChunk: Int64 = 12

    /// A chunk, which may be cut off if it is the last one.
    private struct Chunk {
        let kind: String
        let from: Int64
        let length: Int64

        var body: Range<Int64> { from + 8..<from + 8 + length }
        var end: Int64 { from + 8 + length + length % 2 }

        /// Returns the chunk at an offset; nil at the end of the container.
        init?(_ picture: FileWindow, at: Int64) throws(FileFailure) {
            guard at + 8 <= min(picture.count, try declaredLength(picture)) else { return nil }
            (kind, from) = (try picture.text(at, bytes: 4), at)
            length = try picture.number(at + 4, bytes: 4, isLittle: true)
        }
    }

    /// The parts of a picture, known once all chunks are read.
    private struct Summary {
        var isExtended = false
        var hasImage = false
        var orientation: UInt8 = 1
        /// The length of the cleaned file.
        var count = firstChunk
        /// The number of bytes that the cleaned file has less, apart from what follows the container.
        var removed: Int64 = 0
    }

    static func clean(_ picture: FileWindow, to copy: inout DraftFile) throws(FileFailure) -> Bool {
        let summary = try summary(of: picture)
        guard summary.hasImage else { return false }
        // A file that was cut off stays declared as one.
        let declared = try declaredLength(picture)
        let length = declared > picture.count ? declared - summary.removed : summary.count
        try copy.keep(0..<4, of: picture)
        try copy.put(littleEndian(length - 8))
        try copy.keep(8..<firstChunk, of: picture)
        var (at, hasOrientation) = (firstChunk, false)
        while let chunk = try part(picture, at: at) {
            if at == firstChunk, summary.isExtended {
                let flags = try picture[20] & ~(hasXMP | hasExif)
                try copy.keep(firstChunk..<20, of: picture)
                try copy.put([summary.orientation == 1 ? flags : flags | hasExif])
                try copy.keep(21..<chunk.end, of: picture)
            } else if kept.contains(chunk.kind) {
                try copy.keep(at..<chunk.end, of: picture)
            } else if chunk.kind == "EXIF", !hasOrientation, summary.isExtended {
                let orientation = try Exif.orientation(in: chunk.body, of: picture)
                if orientation != 1 {
                    hasOrientation = true
                    try copy.put(exif(orientation))
                }
            }
            at = chunk.end
        }
        return true
    }

    static func size(of picture: FileWindow) throws(FileFailure) -> StoredAttachment.PixelSize? {
        guard let first = try Chunk(picture, at: firstChunk) else { return nil }
        guard let size = try size(of: first, picture) else { return nil }
        var at = first.end
        while let chunk = try Chunk(picture, at: at) {
            if chunk.kind == "EXIF" {
                let orientation = try Exif.orientation(in: chunk.body, of: picture)
                if Exif.isTurned(orientation) { return size.turned(orientation) }
            }
            at = chunk.end
        }
        return size
    }

    /// Returns the size that the first chunk says.
    private static func size(
        of chunk: Chunk, _ picture: FileWindow
    ) throws(FileFailure) -> StoredAttachment.PixelSize? {
        let body = chunk.body.lowerBound
        let (width, height): (Int64, Int64)
        if chunk.kind == "VP8X", body + 10 <= picture.count {
            width = 1 + (try picture.number(body + 4, bytes: 3, isLittle: true))
            height = 1 + (try picture.number(body + 7, bytes: 3, isLittle: true))
        } else if chunk.kind == "VP8L", body + 5 <= picture.count, try picture[body] == 0x2F {
            let packed = try picture.number(body + 1, bytes: 4, isLittle: true)
            (width, height) = (1 + packed & 0x3FFF, 1 + packed >> 14 & 0x3FFF)
        } else if chunk.kind == "VP8 ", body + 10 <= picture.count,
            try picture.number(body + 3, bytes: 3) == 0x9D012A
        {
            width = try picture.number(body + 6, bytes: 2, isLittle: true) & 0x3FFF
            height = try picture.number(body + 8, bytes: 2, isLittle: true) & 0x3FFF
        } else {
            return nil
        }
        return StoredAttachment.PixelSize(width: Int(width), height: Int(height))
    }

    private static func summary(of picture: FileWindow) throws(FileFailure) -> Summary {
        var (at, summary) = (firstChunk, Summary())
        while let chunk = try part(picture, at: at) {
            if at == firstChunk { summary.isExtended = chunk.kind == "VP8X" && chunk.length >= 10 }
            if data.contains(chunk.kind) { summary.hasImage = true }
            if kept.contains(chunk.kind) {
                summary.count += min(chunk.end, picture.count) - at
            } else {
                summary.removed += chunk.end - at
                if chunk.kind == "EXIF", summary.orientation == 1 {
                    summary.orientation = try Exif.orientation(in: chunk.body, of: picture)
                    if summary.orientation != 1, summary.isExtended {
                        summary.count += Int64(exif(summary.orientation).count)
                        summary.removed -= Int64(exif(summary.orientation).count)
                    }
                }
            }
            at = chunk.end
        }
        return summary
    }

    /// Returns the chunk at an offset; nil at the end, and for a chunk that is cut off and has no image data.
    private static func part(_ picture: FileWindow, at: Int64) throws(FileFailure) -> Chunk? {
        guard let chunk = try Chunk(picture, at: at) else { return nil }
        return chunk.end > picture.count && !data.contains(chunk.kind) ? nil : chunk
    }

    /// Returns the length of the file that its first chunk declares.
    private static func declaredLength(_ picture: FileWindow) throws(FileFailure) -> Int64 {
        8 + (try picture.number(4, bytes: 4, isLittle: true))
    }

    /// Returns a chunk with only an orientation.
    private static func exif(_ orientation: UInt8) -> [UInt8] {
        let block = Exif.only(orientation)
        return "EXIF".utf8 + littleEndian(Int64(block.count)) + block
    }

    private static func littleEndian(_ number: Int64) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
