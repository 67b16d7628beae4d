internal import AlmanacIdentity

/// One open stream: its subscriber, and how far it has been sent.
struct Stream: Sendable {
    let subscriber: Subscriber
    /// The last release that it was sent; nil where the subscriber may not read the config.
    var config: Int64?
    /// Its position in its account's history; nil without a user, and as long as the user has no account.
    var notes: NotesPosition?
    /// The web server takes no more bytes right now.
    var isBlocked = false
    /// It is told of the newest change when its turn comes, and of nothing before.
    var isHeld = false
    /// It ends as soon as it has been sent a change, as a long poll does.
    let endsAfterChange: Bool
    /// Whether it was sent a change.
    var hasChange = false

    struct NotesPosition: Sendable {
        let account: Int64
        let lineage: String
        var revision: Int64
    }

    init(_ subscriber: Subscriber, config: Int64?, notes: NotesPosition?, endsAfterChange: Bool = false) {
        self.subscriber = subscriber
        self.config = config
        self.notes = notes
        self.endsAfterChange = endsAfterChange
    }

    /// The histories that it follows.
    var scopes: [StreamScope] {
        [config.map { _ in .config }, notes.map { .account($0.account) }].compactMap(\.self)
    }

    /// The last revision of a history that it was sent; nil when it doesn't follow that history.
    func position(in scope: StreamScope) -> Int64? {
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

/// The reader of a stream: what they may see, and for how long.
struct Subscriber: Sendable {
    let readsConfig: Bool
    /// Whether they may read the definitions of flags, and so learn their keys.
    var seesFlags = true
    /// Whether the stream is about flags alone, for clients that evaluate all of them again when told.
    var followsFlags = false
    /// The user whose notes the stream is about; nil without a user's token.
    let user: VerifiedUser?
    /// The API token, which may be revoked; nil with a user's token or none.
    let tokenID: String?
    /// When the token expires, in milliseconds since 1970; nil for one without an end.
    let expiresAt: Int64?
    /// The session of their browser, which may end; nil without one.
    var sessionID: String? = nil

    /// How long the token is still good, in seconds.
    func tokenExpiresIn(at now: Int64) -> Int64? {
        expiresAt.map { max(0, ($0 - now) / 1000) }
    }
}

/// A stream that is about to begin.
struct NewStream: Sendable {
    let stream: Stream
    /// The heads of the histories when the stream's positions in them were chosen.
    let head: ConfigHead
    let account: AccountHead?
    let slot: StreamSlot?
    /// The reader has missed more than can be sent.
    let needsResync: Bool
    /// The stream begins with a `hello`.
    let needsHello: Bool
    /// How long a long poll waits for a change; nil for a stream without an end.
    let timeout: Duration?
}
