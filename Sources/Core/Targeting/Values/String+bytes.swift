// Comparison by bytes, because Swift treats canonically equivalent texts as equal, but JSON and other clients don't.
extension String {
    /// Calls a closure with the bytes.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // Safe because the span cannot leave the closure, during which the string keeps its storage.
        let result = unsafe utf8.withContiguousStorageIfAvailable { buffer in unsafe body(buffer.span) }
        // Only a bridged Objective-C string has no contiguous UTF-8.
        return result ?? body(Array(utf8).span)
    }

    func hasBytes(of other: String) -> Bool { utf8.count == other.utf8.count && hasPrefix(bytes: other) }

    /// Returns true if this text precedes another one by bytes, which is also the order of the code points.
    func comesBefore(_ other: String) -> Bool {
        withBytes { mine in
            other.withBytes { theirs in
                for index in 0..<min(mine.count, theirs.count) where mine[index] != theirs[index] {
                    return mine[index] < theirs[index]
                }
                return mine.count < theirs.count
            }
        }
    }

    func hasPrefix(bytes prefix: String) -> Bool { has(prefix, at: 0) }

    func hasSuffix(bytes suffix: String) -> Bool { has(suffix, at: utf8.count - suffix.utf8.count) }

    private func has(_ part: String, at offset: Int) -> Bool {
        guard offset >= 0, utf8.count - offset >= part.utf8.count else { return false }
        return withBytes { mine in
            part.withBytes { theirs in
                for index in theirs.indices where mine[offset + index] != theirs[index] { return false }
                return true
            }
        }
    }

    func contains(bytes part: String) -> Bool {
        withBytes { mine in
            part.withBytes { theirs in
                guard theirs.count <= mine.count else { return false }
                for offset in 0...(mine.count - theirs.count) {
                    var length = 0
                    while length < theirs.count, mine[offset + length] == theirs[length] { length += 1 }
                    if length == theirs.count { return true }
                }
                return false
            }
        }
    }

    /// Returns the text, or its beginning up to a number of bytes, cut between scalars and followed by "…".
    func shortened(to most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
