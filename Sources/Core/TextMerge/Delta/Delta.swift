/// An exact change of one text into another: which parts are kept, which are deleted, and what is inserted where.
///
/// Lengths count UTF-16 code units. The operations run over the whole base text: kept and deleted lengths add up to
/// exactly its length, a last kept part included, so that a delta made for another text is noticed instead of applied
/// to the wrong place.
///
/// A delta is always in normal form, whatever it is made from: no empty operation, no two neighbours of a kind, and
/// where text is replaced the deletion stands before the insertion. Two deltas that do the same to the same ranges are
/// therefore equal, by the bytes of what they insert.
public struct Delta: Sendable, Hashable {
    /// The longest text that a written delta may be for or make, in UTF-16 code units.
    public static let longestLength = Int(Int32.max)

    /// The operations in the order of the base text.
    public private(set) var operations: [Operation]

    /// The length of the only texts that it fits, in UTF-16 code units.
    public private(set) var baseLength: Int

    /// The length of the text it makes, in UTF-16 code units.
    public private(set) var resultLength: Int

    /// The delta that fits the empty text and leaves it empty.
    public init() {
        operations = []
        baseLength = 0
        resultLength = 0
    }

    /// Brings operations into normal form.
    ///
    /// - Precondition: no length is negative.
    public init(_ operations: some Sequence<Operation>) {
        self.init()
        for operation in operations { append(operation) }
    }

    /// Whether applying it changes nothing.
    public var isIdentity: Bool {
        switch operations.first {
        case nil, .retain: operations.count <= 1
        case .delete, .insert: false
        }
    }
}

extension Delta {
    /// Adds an operation at the end, keeping the normal form.
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
            // Taken out first: the text grows in place instead of being copied for every piece.
            operations.removeLast()
            joined += text
            operations.append(.insert(joined))
        }
    }

    /// Puts a deletion before an insertion that ends the operations so far.
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
