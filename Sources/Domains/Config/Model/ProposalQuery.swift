/// The query for a page of proposals, newest first.
struct ProposalQuery {
    let limit: Int64
    /// The upper bound of the numbers, exclusive.
    let before: Int64
    /// The stored state; nil for all.
    let state: String?
    /// A key that the proposal changes; nil for all.
    let key: String?
    /// The name or the subject of the author; nil for all.
    let author: String?
}
