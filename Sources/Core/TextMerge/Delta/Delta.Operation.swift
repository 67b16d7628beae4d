extension Delta {
    /// A step along the base text.
    public enum Operation: Sendable {
        /// Keeps a number of UTF-16 code units.
        case retain(Int)
        /// Deletes a number of UTF-16 code units.
        case delete(Int)
        /// Inserts a text.
        case insert(String)

        /// The length of the kept or deleted part, or nil for an insertion.
        var baseLength: Int? {
            switch self {
            case .retain(let length), .delete(let length): length
            case .insert: nil
            }
        }
    }
}

extension Delta.Operation: Hashable {
    /// Returns true if the operations are the same; texts are compared by their bytes, not by canonical equivalence.
    public static func == (left: Delta.Operation, right: Delta.Operation) -> Bool {
        switch (left, right) {
        case (.retain(let left), .retain(let right)), (.delete(let left), .delete(let right)): left == right
        case (.insert(let left), .insert(let right)): left.isIdentical(to: right)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .retain(let length):
            hasher.combine(0)
            hasher.combine(length)
        case .delete(let length):
            hasher.combine(1)
            hasher.combine(length)
        case .insert(let text):
            hasher.combine(2)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
