/// The reason for which a delta cannot be read or applied, and its position.
public struct DeltaFailure: Error, Hashable, Sendable {
    /// The reason, which also shows if the delta or the text is at fault.
    public let reason: Reason

    /// The index of the faulty part: in the written form while a delta is read, in ``Delta/operations`` while a delta
    /// is applied. Nil if the whole delta is at fault.
    public let position: Int?

    /// The kinds of fault.
    public enum Reason: Hashable, Sendable {
        /// The delta has more parts than the reader allows.
        case tooManyOperations(limit: Int)
        /// A part has a kind that is unknown in this form, or the forms are mixed.
        case wrongKind
        /// A diff list has a code other than -1, 0 and 1, or a delta string has a sign other than `=`, `-` and `+`.
        case unknownOperation
        /// A part keeps, deletes or inserts nothing.
        case emptyOperation
        /// A length is not a plain number from 1 to ``Delta/longestLength``.
        case badLength
        /// A part makes the base text or the result longer than ``Delta/longestLength``.
        case tooLong
        /// A percent escape is cut off, is not UTF-8, or is decoded differently by different readers.
        case badEscape
        /// The base text has another length than the delta requires.
        case baseLength(expected: Int, found: Int)
        /// A part begins or ends inside a surrogate pair, at this offset in the base text.
        case splitsSurrogatePair(offset: Int)
        /// The base text differs from the text in a diff list; the offset is the first difference.
        case textDiffers(offset: Int)
    }

    init(_ reason: Reason, at position: Int? = nil) {
        self.reason = reason
        self.position = position
    }
}

extension DeltaFailure: CustomStringConvertible {
    /// A sentence for the sender of the delta. The sentence never quotes text.
    public var description: String {
        let place = position.map { "Part \($0) of the delta" } ?? "The delta"
        return switch reason {
        case .tooManyOperations(let limit): "\(place) has more than \(limit) parts."
        case .wrongKind: "\(place) has a kind that this form of delta does not support."
        case .unknownOperation: "\(place) has an unknown operation; expected keep, delete or insert."
        case .emptyOperation: "\(place) is empty."
        case .badLength: "\(place) has a length that is not a whole number from 1 to \(Delta.longestLength)."
        case .tooLong: "\(place) produces a text of more than \(Delta.longestLength) UTF-16 code units."
        case .badEscape: "\(place) has a malformed or ambiguous percent escape."
        case .baseLength(let expected, let found):
            "The delta is for a text of \(expected) UTF-16 code units; the base text has \(found)."
        case .splitsSurrogatePair(let offset): "\(place) splits the surrogate pair around offset \(offset)."
        case .textDiffers(let offset):
            "\(place) keeps or deletes a text that differs from the base text at offset \(offset)."
        }
    }
}
