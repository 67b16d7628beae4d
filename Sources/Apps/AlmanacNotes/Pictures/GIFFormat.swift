/// GIF files (GIF89a): a screen, and blocks with sub-blocks.
enum GIFFormat: PictureFormat {
    private static let (imageBlock, extensionBlock, trailer) = (0x2C as UInt8, 0x21 as UInt8, 0x3B as UInt8)
    private static let (comment, application) = (0xFE as UInt8, 0xFF as UInt8)
    /// The application extensions that an image is shown with: repetition, and the profile of colours.
    private static let kept: Set = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]
    /// The length of the file's header and screen.
    private static let screenBytes: Int64 = 13

    /// A block, which may be cut off if it is the last one.
    private struct Block {
        let kind: UInt8
        let label: UInt8
        let from: Int64
        let end: Int64
    }

    static func clean(_ picture: FileWindow, to copy: inout DraftFile) throws(FileFailure) -> Bool {
        guard picture.count >= screenBytes else { return false }
        var (at, hasImage) = (try firstBlock(picture), false)
        try copy.keep(0..<at, of: picture)
        while let block = try block(picture, at: at) {
            if block.kind == imageBlock { hasImage = true }
            if try !isMetadata(block, picture) { try copy.keep(at..<block.end, of: picture) }
            at = block.kind == trailer ? picture.count : block.end
        }
        return hasImage
    }

    /// Returns the size of the screen, or of a first image beyond it.
    static func size(of picture: FileWindow) throws(FileFailure) -> StoredAttachment.PixelSize? {
        guard picture.count >= screenBytes else { return nil }
        func number(_ at: Int64) throws(FileFailure) -> Int64 { try picture.number(at, bytes: 2, isLittle: true) }
        var (width, height) = (try number(6), try number(8))
        var at = try firstBlock(picture)
        while let block = try block(picture, at: at), block.kind != trailer {
            if block.kind == imageBlock, at + 10 <= picture.count {
                width = max(width, try number(at + 1) + number(at + 5))
                height = max(height, try number(at + 3) + number(at + 7))
                break
            }
            at = block.end
        }
        return StoredAttachment.PixelSize(width: Int(width), height: Int(height))
    }

    private static func isMetadata(_ block: Block, _ picture: FileWindow) throws(FileFailure) -> Bool {
        guard block.kind == extensionBlock else { return false }
        if block.label == application { return !kept.contains(try picture.text(block.from + 3, bytes: 11)) }
        return block.label == comment
    }

    /// Returns the block at an offset; nil at the end of the file and after the blocks.
    private static func block(_ picture: FileWindow, at: Int64) throws(FileFailure) -> Block? {
        guard at < picture.count else { return nil }
        let (kind, label) = (try picture[at], try picture[at + 1])
        let data: Int64
        switch kind {
        case trailer: return Block(kind: kind, label: label, from: at, end: at + 1)
        case extensionBlock: data = at + 2
        case imageBlock: data = at + 11 + tableLength(try picture[at + 9])
        default: return nil
        }
        return Block(kind: kind, label: label, from: at, end: try endOfBlocks(picture, from: data))
    }

    private static func firstBlock(_ picture: FileWindow) throws(FileFailure) -> Int64 {
        screenBytes + tableLength(try picture[10])
    }

    /// Returns the length of a colour table.
    private static func tableLength(_ flags: UInt8) -> Int64 { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// Returns the offset after sub-blocks, or a place after the file's end.
    private static func endOfBlocks(_ picture: FileWindow, from: Int64) throws(FileFailure) -> Int64 {
        var at = from
        while case let length = Int64(try picture[at]), length != 0 { at += 1 + length }
        return at + 1
    }
}
