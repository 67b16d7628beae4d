internal import AlmanacIdentity

/// An open stream: the subscriber, and the stream's positions.
struct Stream: Sendable {
    let subscriber: Subscriber
    /// The last release that was sent; nil if the subscriber may not read the config.
    var config: Int64?
    /// The position in the account's history; nil without a user, or while the user has no account.
    var notes: NotesPosition?
    /// True while the web server accepts no more bytes.
    var isBlocked = false
    /// True while the stream waits for a scheduled notification, which will report only the newest change.
    var isScheduled = false
    /// True if the stream ends after its first change, as a long poll does.
    let endsAfterChange: Bool
    /// True if the stream was sent a change.
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

    /// True if the stream is sent changes of proposals, which have flags and values.
    var followsProposals: Bool {
        config != nil && subscriber.seesFlags && !subscriber.followsFlags && !endsAfterChange
    }

    /// The histories that the stream follows.
    var scopes: [StreamScope] { [config.map { _ in .config }, notes.map { .account($0.account) }].compactMap(\.self) }

    /// Returns the last sent revision of a history, or nil if the stream does not follow the history.
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
    /// The history of the account with this id.
    case account(Int64)
}

/// The reader of a stream, with permissions and their expiry.
struct Subscriber: Sendable {
    let readsConfig: Bool
    /// True if the reader may read the definitions of flags, and so see their keys.
    var seesFlags = true
    /// True if the stream is about flags only, for clients that evaluate all flags after each event.
    var followsFlags = false
    /// The user whose notes the stream follows; nil without a user's token.
    let user: VerifiedUser?
    /// The id of the API token, which may be revoked; nil without an API token.
    let tokenID: String?
    /// The expiry of the token, in milliseconds since 1970; nil for a token that never expires.
    let expiresAt: Int64?
    /// The browser's session, which may end; nil without a session.
    var sessionID: String? = nil
    /// The digest of the signed-in user, who may be removed; nil for an API token and without a token.
    var personDigest: String? = nil

    /// Returns the remaining lifetime of the token, in seconds.
    func tokenExpiresIn(at now: Int64) -> Int64? { expiresAt.map { max(0, ($0 - now) / 1000) } }
}

/// A stream that is about to open.
struct NewStream: Sendable {
    let stream: Stream
    /// The heads of the histories at the time when the stream's positions were chosen.
    let head: ConfigHead
    let account: AccountHead?
    let slot: StreamSlot?
    /// True if the reader has missed more changes than can be resent.
    let needsResync: Bool
    /// True if the stream begins with a `hello`.
    let needsHello: Bool
    /// The maximum wait of a long poll; nil for a stream without a timeout.
    let timeout: Duration?
}
