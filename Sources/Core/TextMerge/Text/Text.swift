/// A text whose UTF-8 bytes are stored contiguously.
///
/// Offsets in this module count bytes, which compare fast. Only the lengths in a ``Delta`` count UTF-16 code units.
/// Texts are compared by their bytes, while `==` on `String` means canonical equivalence.
struct Text {
    let string: String

    init(_ string: String) {
        var string = string
        string.makeContiguousUTF8()
        self.string = string
    }

    var count: Int { string.utf8.count }

    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // Safe because the span cannot leave the closure, during which the string keeps its storage.
        let result = unsafe string.utf8.withContiguousStorageIfAvailable { buffer in
            unsafe body(buffer.span)
        }
        guard let result else { preconditionFailure("A contiguous string lends its bytes") }
        return result
    }

    func isIdentical(to other: Text) -> Bool {
        withBytes { bytes in other.withBytes { bytes.count == $0.count && bytes.commonPrefix(with: $0) == bytes.count }
        }
    }

    /// Returns a part of the text, which must begin and end between characters.
    subscript(range: Range<Int>) -> Substring {
        let start = string.utf8.index(string.startIndex, offsetBy: range.lowerBound)
        return string[start..<string.utf8.index(start, offsetBy: range.count)]
    }

    /// Returns the length of the common prefix of two texts, in UTF-16 code units of whole characters.
    func commonUnits(with other: Text) -> Int {
        withBytes { bytes in
            other.withBytes { otherBytes in
                let whole = Hunk(old: 0..<bytes.count, new: 0..<otherBytes.count)
                return bytes.unitCount(
                    0..<bytes.trimmed(whole, against: otherBytes) { $0.isBoundary($1) }.old.lowerBound)
            }
        }
    }

    func unitCount(_ range: Range<Int>) -> Int { withBytes { $0.unitCount(range) } }
}

extension String {
    var unitCount: Int {
        let text = Text(self)
        return text.unitCount(0..<text.count)
    }

    func isIdentical(to other: String) -> Bool { Text(self).isIdentical(to: Text(other)) }
}
