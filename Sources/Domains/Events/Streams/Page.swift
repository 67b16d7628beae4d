/// What happened in a history behind one place, as events.
struct Page {
    let scope: StreamScope
    /// In the order of their revisions.
    let events: [(revision: Int64, message: Message)]
    /// Everything behind the place is here.
    let isComplete: Bool
    /// The newest revision when it was read.
    let newest: Int64
    /// What happened up to here is not kept any more.
    let oldest: Int64
}
