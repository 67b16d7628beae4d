/// A delta in one of three encodings.
///
/// | form | example | found in |
/// |---|---|---|
/// | canonical array | `[12, -3, "new", 40]` | this library |
/// | diff list | `[[0, "kept"], [-1, "gone"], [1, "new"]]` | diff-match-patch's `Diff` objects |
/// | delta string | `"=12\t-3\t+new"` | diff-match-patch's `diff_toDelta` |
///
/// The reader is strict: it refuses a zero, an empty text, a number out of range and an element of another kind, and
/// reports the position. Only a diff list may contain parts without text, which diff-match-patch sometimes writes; they
/// are dropped. Redundant steps (`[6, 6, "n", "ew"]`, an insertion before a deletion) are brought into normal form. A
/// diff list contains its base text, which must equal the text that the delta is applied to.
public struct EncodedDelta: Sendable {
    /// The encoding the delta was read from.
    public let form: Form
    /// The delta itself.
    public let delta: Delta

    /// The base text, which only a diff list contains.
    public let base: String?

    /// The encodings of a delta.
    public enum Form: Sendable {
        /// The canonical array `[12,-3,"new",40]`: keeps, deletes and inserts.
        case canonical
        /// The diff list `[[0,"kept"],[-1,"gone"],[1,"new"]]` of diff-match-patch.
        case diffList
        /// The delta string `"=12\t-3\t+new"` of diff-match-patch.
        case deltaString
    }

    /// The default limit on the number of parts in a written delta.
    public static let defaultLimit = 100_000

    /// Reads a canonical array or a diff list. An empty array is canonical and fits the empty text.
    public init(_ elements: [DeltaElement], limit: Int = defaultLimit) throws(DeltaFailure) {
        guard elements.count <= limit else { throw DeltaFailure(.tooManyOperations(limit: limit)) }
        if case .pair = elements.first {
            form = .diffList
            (delta, base) = try Delta.reading(diffList: elements)
        } else {
            form = .canonical
            delta = try Delta.reading(canonical: elements)
            base = nil
        }
    }

    /// Reads a delta string. An empty string fits the empty text.
    public init(_ string: String, limit: Int = defaultLimit) throws(DeltaFailure) {
        form = .deltaString
        delta = try Delta.reading(string: string, limit: limit)
        base = nil
    }

    /// Applies the delta to a base text and returns the result.
    ///
    /// - Throws: ``DeltaFailure`` if the base text differs from the one in a diff list, or does not fit the delta.
    public func apply(to base: String) throws(DeltaFailure) -> String {
        if let spelled = self.base, !spelled.isIdentical(to: base) {
            let offset = Text(spelled).commonUnits(with: Text(base))
            throw DeltaFailure(.textDiffers(offset: offset), at: delta.operationIndex(ofBaseOffset: offset))
        }
        return try delta.apply(to: base)
    }
}
