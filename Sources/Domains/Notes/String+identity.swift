extension String {
    /// Whether two texts have the same bytes; `==` also takes canonically equivalent ones for the same.
    func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
