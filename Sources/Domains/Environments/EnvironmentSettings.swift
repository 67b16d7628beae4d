public import AlmanacHTTPSClient
public import AlmanacJSON
public import AlmanacPostgreSQL

/// One environment, as the environments file has it.
public struct EnvironmentSettings: Sendable, Equatable {
    public let name: EnvironmentName
    /// Where the workers log in.
    public let database: ConnectionSettings
    /// Where the owner of the schema logs in, for migrations and tokens; the workers' login when the file names none.
    /// A worker gets it without the password.
    public let owner: ConnectionSettings
    /// The issuer and audience of users' tokens; nil where there are no users.
    public let identity: IdentitySettings?
    public let configRead: ConfigRead
    /// The origins whose pages may do more than read public config (CORS).
    public let origins: [String]
    public let limits: Limits
    /// The client that Almanac itself is at the identity provider; nil where browsers can't sign in there.
    public let signIn: SignInClient?
    /// The users who are operators.
    public let operators: OperatorClaim?
    /// How the console shows the environment.
    public let appearance: Appearance

    init(
        name: EnvironmentName, database: ConnectionSettings, owner: ConnectionSettings,
        identity: IdentitySettings? = nil, configRead: ConfigRead, origins: [String], limits: Limits,
        signIn: SignInClient? = nil, operators: OperatorClaim? = nil, appearance: Appearance? = nil
    ) {
        self.name = name
        self.database = database
        self.owner = owner
        self.identity = identity
        self.configRead = configRead
        self.origins = origins
        self.limits = limits
        self.signIn = signIn
        self.operators = operators
        self.appearance = appearance ?? Appearance(of: name)
    }

    /// The callers who may read the config.
    public enum ConfigRead: String, Sendable, CaseIterable {
        /// Everyone.
        case everyone = "public"
        /// Those who present a token with the scope `config:read`.
        case token
    }
}

/// The name of an environment: a slug, the first path segment of every URL.
public struct EnvironmentName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// The form of a name, for messages.
    public static let form = "[a-z][a-z0-9-]{0,31}"

    /// Nil for a text that is no such slug.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...32).contains(bytes.count), let first = bytes.first, (97...122).contains(first) else { return nil }
        for byte in bytes where !((97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")) {
            return nil
        }
        self.text = text
    }

    public var description: String { text }
}

/// The issuer of the tokens that an environment takes for its users'.
public enum IdentitySettings: Sendable, Equatable {
    /// An OpenID Connect provider's.
    ///
    /// - audience: what must be among a token's `aud`.
    /// - caFile: the only certificate authorities that may vouch for the provider; nil trusts those of the system.
    case provider(issuer: WebAddress, audience: String, caFile: String?)
    /// The tokens that `almanac token user` makes.
    case development(DevelopmentKeyFiles)
}

/// Where the development issuer keeps its key.
public struct DevelopmentKeyFiles: Sendable, Equatable {
    /// For the maker of tokens.
    public let privateKey: String
    /// For the workers: beside the private key, with the ending `.pub`.
    public let publicKey: String

    /// - Parameter privateKey: the path of the private key's file.
    init(privateKey: String) {
        self.privateKey = privateKey
        publicKey = (privateKey.hasSuffix(".key") ? String(privateKey.dropLast(4)) : privateKey) + ".pub"
    }

    /// The files of an environment: beside the environments file, unless the process's environment names another.
    ///
    /// - Parameter override: the value of `ALMANAC_DEVELOPMENT_KEY`.
    init(environment: EnvironmentName, environmentsFile: String, override: String?) {
        let folder = environmentsFile.lastIndex(of: "/").map { String(environmentsFile[...$0]) } ?? ""
        self.init(privateKey: override ?? "\(folder)development-\(environment).key")
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
    /// The past texts of one account, in bytes; thinned out where there are more.
    public var historyBytes: Int64 = 256 << 20
    /// The number of actions in one request.
    public var batchActions = 500
    /// The number of event streams that one account has open at the same time, in one process.
    public var streams = 10

    public init() {}
}

extension Limits {
    /// The bounds of a request's body as JSON.
    public var json: JSONLimits {
        var limits = JSONLimits()
        limits.bytes = bodyBytes
        limits.depth = depth
        // A body of 4 MiB may have a hundred thousand arrays and objects, as many members, and four times as many
        // values. A document of 10,000 flags has nine members for each flag. Members take the most time and memory.
        limits.containers = max(1000, bodyBytes / 40)
        limits.members = max(4000, bodyBytes / 40)
        limits.values = max(4000, bodyBytes / 10)
        return limits
    }
}
