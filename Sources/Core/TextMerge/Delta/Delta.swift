/// An exact change of one text into another: a list of parts to keep, to delete and to insert.
///
/// Lengths count UTF-16 code units. The operations cover the whole base text: the kept and deleted lengths, including a
/// kept end, add up to its length. A delta for a text of another length is therefore detected, not applied at the wrong
/// place.
///
/// A delta is always in normal form: no operation is empty, no two neighbours have the same kind, and in a replacement
/// the deletion precedes the insertion. Two deltas that do the same to the same ranges are therefore equal. Inserted
/// texts are compared by their bytes.
public struct Delta: Sendable, Hashable {
    /// The limit on the length of the base text and of the result of a written delta, in UTF-16 code units.
    public static let longestLength = Int(Int32.max)

    /// The operations, in the order of the base text.
    public private(set) var operations: [Operation]

    /// The required length of the base text, in UTF-16 code units.
    public private(set) var baseLength: Int

    /// The length of the result, in UTF-16 code units.
    public private(set) var resultLength: Int

    /// Creates the delta from the empty text to the empty text.
    public init() {
        operations = []
        baseLength = 0
        resultLength = 0
    }

    /// Creates a delta from operations, which are brought into normal form.
    ///
    /// - Precondition: No length is negative.
    public init(_ operations: some Sequence<Operation>) {
        self.init()
        for operation in operations { append(operation) }
    }

    /// True if the delta changes nothing.
    public var isIdentity: Bool {
        switch operations.first {
        case nil, .retain: operations.count <= 1
        case .delete, .insert: false
        }
    }
}

extension Delta {
    mutating func append(_ operation: Operation) {
        switch operation {
        case .retain(let length):
            precondition(length >= 0, "A kept part has a length of 0 or more")
            guard length > 0 else { return }
            baseLength += length
            resultLength += length
            if case .retain(let before) = operations.last {
                operations[operations.count - 1] = .retain(before + length)
            } else {
                operations.append(operation)
            }
        case .delete(let length):
            precondition(length >= 0, "A deleted part has a length of 0 or more")
            guard length > 0 else { return }
            baseLength += length
            appendDeletion(length)
        case .insert(let text):
            guard !text.utf8.isEmpty else { return }
            resultLength += text.unitCount
            guard case .insert(var joined) = operations.last else { return operations.append(operation) }
            // The array gives up its reference first, so the text grows in place and is not copied for every piece.
            operations.removeLast()
            joined += text
            operations.append(.insert(joined))
        }
    }

    /// Adds a deletion at the end, but before an insertion that is last.
    private mutating func appendDeletion(_ length: Int) {
        var place = operations.count
        if case .insert = operations.last { place -= 1 }
        if place > 0, case .delete(let before) = operations[place - 1] {
            operations[place - 1] = .delete(before + length)
        } else {
            operations.insert(.delete(length), at: place)
        }
    }
}
