public import AlmanacPostgreSQL

/// What the environments file says of one environment.
public struct EnvironmentSettings: Sendable, Equatable {
    public let name: EnvironmentName
    /// Where the workers log in.
    public let database: ConnectionSettings
    /// Where the owner of the schema logs in, for migrations and tokens; the workers' login when the file names none.
    /// A worker gets it without the password.
    public let owner: ConnectionSettings
    /// Whose tokens are the users'; nil where there are no users.
    public let identity: IdentitySettings?
    public let configRead: ConfigRead
    /// The origins whose pages may do more than read public config (CORS).
    public let origins: [String]
    public let limits: Limits

    init(
        name: EnvironmentName, database: ConnectionSettings, owner: ConnectionSettings,
        identity: IdentitySettings? = nil, configRead: ConfigRead, origins: [String], limits: Limits
    ) {
        self.name = name
        self.database = database
        self.owner = owner
        self.identity = identity
        self.configRead = configRead
        self.origins = origins
        self.limits = limits
    }

    /// Who may read the config.
    public enum ConfigRead: String, Sendable, CaseIterable {
        /// Everyone.
        case everyone = "public"
        /// Who presents a token with the scope `config:read`.
        case token
    }
}

/// The bounds of one environment.
public struct Limits: Sendable, Equatable {
    /// A request's body, in bytes.
    public var bodyBytes = 4 << 20
    /// The nesting of a JSON document.
    public var depth = 64
    /// The number of entries that exist at the same time.
    public var entries = 10_000
    /// An entry's value as compact JSON, in bytes.
    public var valueBytes = 256 << 10
    /// A note's title in UTF-8, in bytes.
    public var noteTitleBytes = 1 << 10
    /// A note's body in UTF-8, in bytes.
    public var noteBodyBytes = 1 << 20
    /// The number of notes of one account, those in the trash included.
    public var notes = 10_000
    /// The titles and bodies of one account's notes, in bytes.
    public var accountBytes: Int64 = 256 << 20
    /// The number of actions in one request.
    public var batchActions = 500
    /// The number of event streams that one account has open at the same time, in one process.
    public var streams = 10

    public init() {}
}
