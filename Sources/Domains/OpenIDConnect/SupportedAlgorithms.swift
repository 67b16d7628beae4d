internal import AlmanacCryptography

/// The algorithms that tokens may be signed with: all that a key pair can do, and nothing else.
enum SupportedAlgorithms {
    static let names = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")

    /// Nil for any other name; names are compared exactly (RFC 7515 §4.1.1).
    static subscript(_ name: String) -> SignatureAlgorithm? {
        SignatureAlgorithm.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
    }
}
