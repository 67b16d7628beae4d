internal import Glibc

extension String {
    /// Whether both texts are the same code points; `==` would also call canonically equivalent texts equal.
    public func hasSameBytes(as other: String) -> Bool {
        // Compared as blocks: byte by byte, the long texts of notes are a cost in every action.
        // Safe because memcmp reads as many bytes as both texts have.
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                unsafe mine.count == other.count
                    && (mine.isEmpty || memcmp(mine.baseAddress!, other.baseAddress!, mine.count) == 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether a NUL stands in the text, which PostgreSQL stores in no text.
    public var hasNUL: Bool {
        // Safe because memchr reads the text's own bytes.
        let hasNUL = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe !bytes.isEmpty && memchr(bytes.baseAddress!, 0, bytes.count) != nil
        }
        return hasNUL ?? utf8.contains(0)
    }
}
