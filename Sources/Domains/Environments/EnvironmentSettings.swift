public import AlmanacHTTPSClient
public import AlmanacJSON
public import AlmanacPostgreSQL
public import AlmanacProposals
public import AlmanacWebhooks

/// The settings of one environment from the environments file.
public struct EnvironmentSettings: Sendable, Equatable {
    public let name: EnvironmentName
    /// The login of the workers.
    public let database: ConnectionSettings
    /// The login of the schema's owner, for migrations and tokens; by default the workers' login. A worker does not get
    /// the owner's password.
    public let owner: ConnectionSettings
    /// The issuer and audience of users' tokens; nil if the environment has no users.
    public let identity: IdentitySettings?
    public let configRead: ConfigRead
    /// The origins whose pages may do more than read public config (CORS).
    public let origins: [String]
    public let limits: Limits
    public let attachments: AttachmentSettings
    /// Almanac's own client at the identity provider; nil if browsers cannot sign in there.
    public let signIn: SignInClient?
    /// The claims that make users operators.
    public let operators: [OperatorClaim]
    /// The approvals that releases need; nil if they need none.
    public let approvals: ApprovalPolicy?
    /// True if a release that only switches flags off needs approvals too.
    public var needsApprovalToDisable: Bool { approvals.map { !$0.exemptions.contains(.disable) } ?? false }
    /// The console's presentation of the environment.
    public let appearance: Appearance
    /// The origin of the console's pages, for links that are made elsewhere; nil if it is unknown.
    public let consoleOrigin: String?
    /// The rules for the receivers of hooks.
    public let hooks: ReachableAddresses
    /// The folder of the attachments of all environments.
    public let attachmentsFolder: String

    init(
        name: EnvironmentName, database: ConnectionSettings, owner: ConnectionSettings,
        identity: IdentitySettings? = nil, configRead: ConfigRead, origins: [String], limits: Limits,
        attachments: AttachmentSettings = AttachmentSettings(), signIn: SignInClient? = nil,
        operators: [OperatorClaim] = [], approvals: ApprovalPolicy? = nil, appearance: Appearance? = nil,
        consoleOrigin: String? = nil, hooks: ReachableAddresses = .publicOnly,
        attachmentsFolder: String = Self.packagedAttachmentsFolder
    ) {
        self.name = name
        self.database = database
        self.owner = owner
        self.identity = identity
        self.configRead = configRead
        self.origins = origins
        self.limits = limits
        self.attachments = attachments
        self.signIn = signIn
        self.operators = operators
        self.approvals = approvals
        self.appearance = appearance ?? Appearance(of: name)
        self.consoleOrigin = consoleOrigin
        self.hooks = hooks
        self.attachmentsFolder = attachmentsFolder
    }

    /// The folder of a host with the Debian package.
    static let packagedAttachmentsFolder = "/var/lib/almanac/attachments"

    /// Finds the folder of attachments: beside the environments file, or the package's if that file is in `/etc`,
    /// unless overridden.
    ///
    /// - Parameter override: The value of `ALMANAC_ATTACHMENTS`.
    static func attachmentsFolder(environmentsFile: String, override: String?) -> String {
        if let override { return override }
        if environmentsFile.hasPrefix("/etc/") { return packagedAttachmentsFolder }
        return (environmentsFile.lastIndex(of: "/").map { String(environmentsFile[...$0]) } ?? "") + "attachments"
    }

    public enum ConfigRead: String, Sendable, CaseIterable {
        case everyone = "public"
        /// Callers with a token that has the scope `config:read`.
        case token
    }
}

/// The name of an environment: a slug, the first path segment of every URL.
public struct EnvironmentName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// The form of a name, for messages.
    public static let form = "[a-z][a-z0-9-]{0,31}"

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

/// The issuer of an environment's user tokens.
public enum IdentitySettings: Sendable, Equatable {
    /// An OpenID Connect provider.
    ///
    /// - audience: The value that a token's `aud` must contain.
    /// - caFile: The file of the only trusted certificate authorities; nil trusts those of the system.
    case provider(issuer: WebAddress, audience: String, caFile: String?)
    /// The development issuer, whose tokens `almanac token user` makes.
    case development(DevelopmentKeyFiles)
}

/// The key files of the development issuer.
public struct DevelopmentKeyFiles: Sendable, Equatable {
    /// The file for the maker of tokens.
    public let privateKey: String
    /// The file for the workers, beside the private key and with the extension `.pub`.
    public let publicKey: String

    init(privateKey: String) {
        self.privateKey = privateKey
        publicKey = (privateKey.hasSuffix(".key") ? String(privateKey.dropLast(4)) : privateKey) + ".pub"
    }

    /// Finds the files of an environment: beside the environments file, unless overridden.
    ///
    /// - Parameter override: The value of `ALMANAC_DEVELOPMENT_KEY`.
    init(environment: EnvironmentName, environmentsFile: String, override: String?) {
        let folder = environmentsFile.lastIndex(of: "/").map { String(environmentsFile[...$0]) } ?? ""
        self.init(privateKey: override ?? "\(folder)development-\(environment).key")
    }
}

/// The limits of one environment.
public struct Limits: Sendable, Equatable {
    /// The size of a request body, in bytes.
    public var bodyBytes = 4 << 20
    /// The nesting depth of a JSON document.
    public var depth = 64
    /// The number of live entries.
    public var entries = 10_000
    /// The size of an entry's value as compact JSON, in bytes.
    public var valueBytes = 256 << 10
    /// The size of the settings and rules that all flags share, in bytes, unless `valueBytes` is larger. Segments of
    /// 100,000 ids fit.
    public var flagSetBytes = 3 << 20
    /// The size of a note's title in UTF-8, in bytes.
    public var noteTitleBytes = 1 << 10
    /// The size of a note's body in UTF-8, in bytes.
    public var noteBodyBytes = 1 << 20
    /// The number of notes of one account, including the trash.
    public var notes = 10_000
    /// The size of all titles and bodies of one account's notes, in bytes.
    public var accountBytes: Int64 = 256 << 20
    /// The size of one account's past texts, in bytes. Texts beyond it are thinned out.
    public var historyBytes: Int64 = 256 << 20
    /// The size of one attachment, in bytes, and of its preview.
    public var attachmentBytes = 25 << 20
    public var attachmentPreviewBytes = 512 << 10
    /// The number of one account's attachments, and the size of their files and previews, in bytes.
    public var attachments = 10_000
    public var attachmentsBytes: Int64 = 1 << 30
    /// The number of one account's uploads that are not finished.
    public var attachmentUploads = 8
    /// The days after which an attachment that nothing names is removed.
    public var attachmentUnusedDays = 30
    /// The number of actions in one request.
    public var batchActions = 500
    /// The number of open event streams of one account, per process.
    public var streams = 10

    public init() {}
}

extension Limits {
    /// The limits of a JSON request body.
    public var json: JSONLimits {
        var limits = JSONLimits()
        limits.bytes = bodyBytes
        limits.depth = depth
        // A body of 4 MiB may have about 100,000 containers, as many members, and four times as many values. A document
        // of 10,000 flags has nine members per flag. Members cost the most time and memory.
        limits.containers = max(1000, bodyBytes / 40)
        limits.members = max(4000, bodyBytes / 40)
        limits.values = max(4000, bodyBytes / 10)
        return limits
    }
}
