internal import Glibc

extension String {
    /// Returns true if both texts have the same code points. `==` would also accept canonically equivalent texts.
    public func hasSameBytes(as other: String) -> Bool {
        // Long notes are compared in every action, so compare blocks and not single bytes. Safe because memcmp reads as
        // many bytes as both texts have.
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                unsafe mine.count == other.count
                    && (mine.isEmpty || memcmp(mine.baseAddress!, other.baseAddress!, mine.count) == 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// True if the text contains a NUL, which PostgreSQL cannot store.
    public var hasNUL: Bool {
        // Safe because memchr reads the text's own bytes.
        let hasNUL = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe !bytes.isEmpty && memchr(bytes.baseAddress!, 0, bytes.count) != nil
        }
        return hasNUL ?? utf8.contains(0)
    }
}
