/// One open stream: who reads it, and how far it has been told.
struct Stream: Sendable {
    let audience: Audience
    /// The last release that it was told of; nil for who may not read the config.
    var config: Int64?
    /// Its place in its account's history; nil without a user, and as long as the user has no account.
    var notes: NotesPlace?
    /// The web server takes no more bytes right now.
    var isBlocked = false
    /// It ends as soon as it has been told of something, as a long poll does.
    let endsAfterNews: Bool
    /// Whether it was told of something.
    var hasNews = false

    struct NotesPlace: Sendable {
        let account: Int64
        let lineage: String
        var revision: Int64
    }

    init(_ audience: Audience, config: Int64?, notes: NotesPlace?, endsAfterNews: Bool = false) {
        self.audience = audience
        self.config = config
        self.notes = notes
        self.endsAfterNews = endsAfterNews
    }

    /// The histories that it follows.
    var scopes: [StreamScope] {
        [config.map { _ in .config }, notes.map { .account($0.account) }].compactMap(\.self)
    }

    /// The last revision of a history that it was told of; nil when it doesn't follow that history.
    func place(in scope: StreamScope) -> Int64? {
        switch scope {
        case .config: config
        case .account(let id): notes?.account == id ? notes?.revision : nil
        }
    }

    mutating func move(to revision: Int64, in scope: StreamScope) {
        switch scope {
        case .config: config = revision
        case .account: notes?.revision = revision
        }
    }
}

/// A history that streams follow.
enum StreamScope: Hashable, Sendable {
    case config
    /// That of the account with this id.
    case account(Int64)
}
