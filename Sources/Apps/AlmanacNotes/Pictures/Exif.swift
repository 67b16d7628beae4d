/// Exif blocks (CIPA DC-008): reads the orientation, and writes blocks with nothing else.
enum Exif {
    /// The bytes before a block in JPEG.
    static let mark = "Exif\0\0"

    private static let (orientationTag, shortType) = (0x0112 as Int64, 3 as Int64)

    /// Returns the orientation, from 1 to 8, or 1 if the block has none.
    ///
    /// - Parameter block: a TIFF header with its directories, or the same after ``mark``.
    static func orientation(in block: Range<Int64>, of picture: FileWindow) throws(FileFailure) -> UInt8 {
        let end = min(block.upperBound, picture.count)
        let isMarked = try picture.has(mark, at: block.lowerBound, before: end)
        let start = block.lowerBound + (isMarked ? 6 : 0)
        let isLittle = try picture.has("II*\0", at: start, before: end)
        let isBig = try picture.has("MM\0*", at: start, before: end)
        guard start + 8 <= end, isLittle || isBig else { return 1 }
        let directory = start + (try picture.number(start + 4, bytes: 4, isLittle: isLittle))
        guard directory + 2 <= end else { return 1 }
        let count = try picture.number(directory, bytes: 2, isLittle: isLittle)
        for index in 0..<count {
            let at = directory + 2 + 12 * index
            guard at + 12 <= end else { break }
            guard try picture.number(at, bytes: 2, isLittle: isLittle) == orientationTag else { continue }
            let value = try picture.number(at + 8, bytes: 2, isLittle: isLittle)
            let isShort = try picture.number(at + 2, bytes: 2, isLittle: isLittle) == shortType
            return isShort && (1...8).contains(value) ? UInt8(value) : 1
        }
        return 1
    }

    /// Returns a TIFF header with a directory that has only the orientation.
    static func only(_ orientation: UInt8) -> [UInt8] {
        [
            0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, UInt8(shortType), 0, 1, 0, 0, 0, orientation,
            0, 0, 0, 0, 0, 0, 0,
        ]
    }

    /// Returns true if a picture with this orientation is shown with its sides exchanged.
    static func isTurned(_ orientation: UInt8) -> Bool { orientation >= 5 }
}
