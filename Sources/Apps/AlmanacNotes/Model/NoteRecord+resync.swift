// What becomes of it when the histories of this device and the server have parted.
extension NoteRecord {
    /// Whether a server that does not list it any more may take it out of the list here.
    var wouldLeave: Bool { shadow != nil && isClean && flight == nil && !isInTrash && problem == nil }

    /// Forgets which revisions were heard of, so that the server's state is taken whatever its revision.
    mutating func forgetHistory() {
        heard = 0
        news = nil
        if wish?.acknowledged != nil { wish = nil }
    }

    /// The server does not list it any more.
    mutating func leave() {
        putIntoTrash()
        isInServersTrash = true
    }

    /// The server does not list it any more, and its user wants it there.
    mutating func stay() {
        shadow = nil
        isInServersTrash = false
        position = nil
        forgetHistory()
    }
}
