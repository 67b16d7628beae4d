extension Rows {
    /// The one row that there must be.
    ///
    /// - Parameter what: names the row in the error, when there is none.
    public func single(_ what: String) throws(PostgresFailure) -> Row {
        guard let row = first else { throw .misread("\(what) has no row") }
        return row
    }
}
