extension String {
    /// Whether both texts are the same code points; `==` would also call canonically equivalent texts equal.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
