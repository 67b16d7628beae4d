/// JPEG files (ITU-T T.81): segments up to the end of the image.
enum JPEGFormat: PictureFormat {
    private static let (startOfScan, endOfImage, comment) = (0xDA as UInt8, 0xD9 as UInt8, 0xFE as UInt8)
    private static let (app0, app1, app2) = (0xE0 as UInt8, 0xE1 as UInt8, 0xE2 as UInt8)
    private static let (app14, app15) = (0xEE as UInt8, 0xEF as UInt8)

    /// A segment from its marker to its end.
    private struct Segment {
        let kind: UInt8
        let from: Int64
        /// The offset after the length.
        let body: Int64
        let end: Int64
    }

    static func clean(_ picture: FileWindow, to copy: inout DraftFile) throws(FileFailure) -> Bool {
        try copy.keep(0..<2, of: picture)
        var (hasImage, hasExif) = (false, false)
        var next = try nextMarker(picture, from: 2)
        while let segment = try segment(picture, at: next) {
            next = try following(segment, picture)
            if segment.kind == startOfScan { hasImage = true }
            if try isPartOfImage(segment, picture) {
                try copy.keep(segment.from..<segment.end, of: picture)
            } else if try isExif(segment, picture), !hasExif {
                hasExif = true
                let orientation = try Exif.orientation(in: segment.body..<segment.end, of: picture)
                if orientation == 1 { continue }
                let block = Exif.only(orientation)
                try copy.put([0xFF, app1, 0, UInt8(8 + block.count)] + Exif.mark.utf8 + block)
            }
        }
        return hasImage
    }

    static func size(of picture: FileWindow) throws(FileFailure) -> StoredAttachment.PixelSize? {
        var orientation: UInt8 = 1
        var next = try nextMarker(picture, from: 2)
        while let segment = try segment(picture, at: next) {
            if orientation == 1, try isExif(segment, picture) {
                orientation = try Exif.orientation(in: segment.body..<segment.end, of: picture)
            }
            let isFrame = (0xC0...0xCF).contains(segment.kind) && ![0xC4, 0xC8, 0xCC].contains(segment.kind)
            if isFrame {
                if segment.end - segment.body < 6 { return nil }
                let height = try picture.number(segment.body + 1, bytes: 2)
                let width = try picture.number(segment.body + 3, bytes: 2)
                return StoredAttachment.PixelSize(width: Int(width), height: Int(height)).turned(orientation)
            }
            next = try following(segment, picture)
        }
        return nil
    }

    /// Returns the segment whose marker is at an offset; nil at the end of the file. A file that was cut off ends
    /// without an end of its image.
    private static func segment(_ picture: FileWindow, at: Int64) throws(FileFailure) -> Segment? {
        guard at < picture.count else { return nil }
        let kind = try picture[at + 1]
        if kind == endOfImage { return Segment(kind: kind, from: at, body: at + 2, end: at + 2) }
        let length = at + 4 <= picture.count ? try picture.number(at + 2, bytes: 2) : 0
        let end = at + 2 + length
        guard length >= 2, end <= picture.count else { return nil }
        // The data of a scan follows its header, without a length.
        let until = kind == startOfScan ? try nextMarker(picture, from: end) : end
        return Segment(kind: kind, from: at, body: at + 4, end: until)
    }

    /// Returns the place of the marker after a segment, or the file's end.
    private static func following(_ segment: Segment, _ picture: FileWindow) throws(FileFailure) -> Int64 {
        segment.kind == endOfImage ? picture.count : try nextMarker(picture, from: segment.end)
    }

    /// Returns the place of the next marker, or the file's end. Inside of a scan, zeros and restart markers belong to
    /// the image's data.
    private static func nextMarker(_ picture: FileWindow, from: Int64) throws(FileFailure) -> Int64 {
        var from = from
        while let at = try picture.firstIndex(of: 0xFF, from: from), at + 1 < picture.count {
            switch try picture[at + 1] {
            case 0, 1, 0xD0...0xD7, 0xFF: from = at + 1
            default: return at
            }
        }
        return picture.count
    }

    private static func isExif(_ segment: Segment, _ picture: FileWindow) throws(FileFailure) -> Bool {
        guard segment.kind == app1 else { return false }
        return try picture.has(Exif.mark, at: segment.body, before: picture.count)
    }

    /// Returns true for segments that an image is decoded with.
    private static func isPartOfImage(_ segment: Segment, _ picture: FileWindow) throws(FileFailure) -> Bool {
        switch segment.kind {
        case app0: try picture.has("JFIF\0", at: segment.body, before: picture.count)
        case app2: try picture.has("ICC_PROFILE\0", at: segment.body, before: picture.count)
        case app14: try picture.has("Adobe", at: segment.body, before: picture.count)
        default: segment.kind < app0 || (segment.kind > app15 && segment.kind != comment)
        }
    }
}
