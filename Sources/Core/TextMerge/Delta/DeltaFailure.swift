/// Why a delta was not read or not applied.
public struct DeltaFailure: Error, Hashable, Sendable {
    /// Tells whether the delta or the text is at fault.
    public let reason: Reason

    /// Which part is at fault, counted from 0: of the written form while it is read, of ``Delta/operations`` while the
    /// delta is applied. Nil when it is the whole.
    public let position: Int?

    /// What is wrong with a delta.
    public enum Reason: Hashable, Sendable {
        /// More parts than the reader allows.
        case tooManyOperations(limit: Int)
        /// A part of a kind that this form doesn't have, or forms mixed.
        case wrongKind
        /// A code other than -1, 0 and 1 in a diff list, or a sign other than `=`, `-` and `+` in a delta string.
        case unknownOperation
        /// A part that keeps, deletes or inserts nothing.
        case emptyOperation
        /// A length that isn't a plain number from 1 to ``Delta/longestLength``.
        case badLength
        /// A part with which the base text or the result would be longer than ``Delta/longestLength``.
        case tooLong
        /// A percent escape that is cut off, isn't UTF-8, or is read differently by different readers.
        case badEscape
        /// The delta is for a text of another length.
        case baseLength(expected: Int, found: Int)
        /// A part begins or ends inside a surrogate pair, at this offset in the base text.
        case splitsSurrogatePair(offset: Int)
        /// The base text has something else where a diff list keeps or deletes text; the offset is where they part.
        case textDiffers(offset: Int)
    }

    init(_ reason: Reason, at position: Int? = nil) {
        self.reason = reason
        self.position = position
    }
}

extension DeltaFailure: CustomStringConvertible {
    /// One sentence that can be shown to whoever sent the delta; it never quotes text.
    public var description: String {
        let place = position.map { "Part \($0) of the delta" } ?? "The delta"
        return switch reason {
        case .tooManyOperations(let limit): "\(place) has more than \(limit) parts."
        case .wrongKind: "\(place) is not of a kind that this form of delta has."
        case .unknownOperation: "\(place) doesn't say in a known way whether it keeps, deletes or inserts."
        case .emptyOperation: "\(place) is empty."
        case .badLength: "\(place) has a length that is not a whole number from 1 to \(Delta.longestLength)."
        case .tooLong: "\(place) makes a text of more than \(Delta.longestLength) UTF-16 code units."
        case .badEscape: "\(place) has a malformed or ambiguous percent escape."
        case .baseLength(let expected, let found):
            "The delta is for a text of \(expected) UTF-16 code units; the base text has \(found)."
        case .splitsSurrogatePair(let offset): "\(place) splits the surrogate pair around offset \(offset)."
        case .textDiffers(let offset):
            "\(place) keeps or deletes other text than the base text has at offset \(offset)."
        }
    }
}
