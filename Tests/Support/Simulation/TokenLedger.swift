/// Every token that any client has inserted, and what became of it.
///
/// A token is one scalar that occurs nowhere else, by turns of one and of two UTF-16 code units, so that none can be
/// mistaken for another and each can be counted.
public struct TokenLedger: Sendable {
    public private(set) var inserted: Set<Unicode.Scalar> = []
    public private(set) var deleted: Set<Unicode.Scalar> = []
    /// The tokens of each note that its deleter had seen before.
    public private(set) var seenByDeleter: [String: Set<Unicode.Scalar>] = [:]

    public init() {}

    public mutating func newToken() -> Unicode.Scalar {
        let number = UInt32(inserted.count)
        let token = Unicode.Scalar((number.isMultiple(of: 2) ? 0xE000 : 0xF0000) + number / 2)!
        inserted.insert(token)
        return token
    }

    public mutating func delete(_ scalars: some Sequence<Unicode.Scalar>) {
        for scalar in scalars where Self.isToken(scalar) { deleted.insert(scalar) }
    }

    public mutating func deleteNote(_ id: String, reading text: String) {
        seenByDeleter[id, default: []].formUnion(text.unicodeScalars.filter(Self.isToken))
    }

    public static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        (0xE000..<0xF900).contains(scalar.value) || scalar.value >= 0xF0000
    }
}
