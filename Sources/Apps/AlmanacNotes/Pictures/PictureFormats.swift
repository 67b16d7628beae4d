/// A format of pictures whose metadata can be removed.
///
/// Segments are omitted, and nothing is encoded again: pixels, colours, animation and orientation remain. The page has
/// the same rules in Sources/Web/notes/attachments, and both write the same bytes.
protocol PictureFormat: SendableMetatype {
    /// Copies a picture without location, camera data, texts and thumbnails. A picture that was cut off is copied as
    /// far as it goes.
    ///
    /// - Returns: false if the structure is damaged; then the copy may lack parts.
    static func clean(_ picture: FileWindow, to copy: inout DraftFile) throws(FileFailure) -> Bool

    /// Returns the size as shown, after the picture is turned; nil if the file does not say it.
    static func size(of picture: FileWindow) throws(FileFailure) -> StoredAttachment.PixelSize?
}

/// The formats of pictures whose metadata can be removed.
enum PictureFormats {
    private static let formats: [String: any PictureFormat.Type] = [
        "image/png": PNGFormat.self, "image/jpeg": JPEGFormat.self, "image/gif": GIFFormat.self,
        "image/webp": WebPFormat.self,
    ]
    /// The largest picture that the notes app draws, in pixels.
    private static let drawnPixels: Int64 = 50_000_000

    /// Returns the format of a file; nil for AVIF and for other files.
    ///
    /// - Parameter first: at least 12 bytes, unless the file is shorter.
    static func format(of first: [UInt8]) -> (any PictureFormat.Type)? {
        MediaType.picture(first).flatMap { formats[$0] }
    }

    /// Returns a size that the server accepts, and nil for a picture that the notes app would not draw.
    static func shownSize(_ size: StoredAttachment.PixelSize?) -> StoredAttachment.PixelSize? {
        guard let size, (1..<65_536).contains(size.width), (1..<65_536).contains(size.height),
            Int64(size.width) * Int64(size.height) <= drawnPixels
        else { return nil }
        return size
    }
}

extension StoredAttachment.PixelSize {
    /// Returns the size of the picture after it is turned.
    func turned(_ orientation: UInt8) -> StoredAttachment.PixelSize {
        Exif.isTurned(orientation) ? StoredAttachment.PixelSize(width: height, height: width) : self
    }
}
