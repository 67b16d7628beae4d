/// A delta as it came over the wire, in one of three forms.
///
/// | form | example | found in |
/// |---|---|---|
/// | canonical array | `[12, -3, "new", 40]` | this library |
/// | diff list | `[[0, "kept"], [-1, "gone"], [1, "new"]]` | diff-match-patch's `Diff` objects |
/// | delta string | `"=12\t-3\t+new"` | diff-match-patch's `diff_toDelta` |
///
/// Reading is strict: a zero, an empty text, a number out of range or an element of another kind is refused with its
/// position. Only a diff list may have parts without text, which diff-match-patch writes now and then; they are
/// dropped. What is written in more steps than needed (`[6, 6, "n", "ew"]`, an insertion before a deletion) is
/// brought into normal form. A diff list holds its base text; applying checks it to the last unit.
public struct WrittenDelta: Sendable {
    /// In which of the forms it came.
    public let form: Form
    /// What it says.
    public let delta: Delta

    /// The text that the delta was made from, which only a diff list spells out.
    public let base: String?

    /// The ways to write a delta.
    public enum Form: Sendable {
        /// `[12,-3,"new",40]`: keeps, deletes and inserts.
        case canonical
        /// `[[0,"kept"],[-1,"gone"],[1,"new"]]`, as diff-match-patch lists differences.
        case diffList
        /// `"=12\t-3\t+new"`, as diff-match-patch writes a delta.
        case deltaString
    }

    /// How many parts a written delta may have unless a reader is told otherwise.
    public static let defaultLimit = 100_000

    /// Reads a canonical array or a diff list; the first element tells which. An empty array is canonical, and fits
    /// the empty text.
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

    /// The text that the delta makes of a base text, which must be the one that a diff list spells out.
    public func apply(to base: String) throws(DeltaFailure) -> String {
        if let spelled = self.base, !spelled.isIdentical(to: base) {
            let offset = Text(spelled).commonUnits(with: Text(base))
            throw DeltaFailure(.textDiffers(offset: offset), at: delta.operationIndex(ofBaseOffset: offset))
        }
        return try delta.apply(to: base)
    }
}
