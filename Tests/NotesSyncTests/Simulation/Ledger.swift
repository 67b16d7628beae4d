/// Every token that any device has inserted, and what became of it.
///
/// A token is one scalar that occurs nowhere else, by turns of one and of two UTF-16 code units.
struct Ledger {
    private(set) var inserted: Set<Unicode.Scalar> = []
    private(set) var deleted: Set<Unicode.Scalar> = []
    /// The tokens of each note that somebody saw who then deleted the note.
    private(set) var seenByDeleter: [String: Set<Unicode.Scalar>] = [:]

    mutating func newToken() -> Unicode.Scalar {
        let number = UInt32(inserted.count)
        let token = Unicode.Scalar((number.isMultiple(of: 2) ? 0xE000 : 0xF0000) + number / 2)!
        inserted.insert(token)
        return token
    }

    mutating func delete(_ scalars: some Sequence<Unicode.Scalar>) {
        for scalar in scalars where Self.isToken(scalar) { deleted.insert(scalar) }
    }

    mutating func deleteNote(_ id: String, reading text: String) {
        seenByDeleter[id, default: []].formUnion(text.unicodeScalars.filter(Self.isToken))
    }

    static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        (0xE000..<0xF900).contains(scalar.value) || scalar.value >= 0xF0000
    }
}
