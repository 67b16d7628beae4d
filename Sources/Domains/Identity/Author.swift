internal import AlmanacPOSIX

/// The author of a change, as shown in the history and the audit log.
public struct Author: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// The bearer of an API token.
        case token
        /// The bearer of a user's access token.
        case user
        /// A person at a command line on the host.
        case host
    }

    /// The label of a token, the subject of a user, or a login name.
    public let name: String
    public let kind: Kind
    public let tokenID: String?

    public init(_ name: String, _ kind: Kind, tokenID: String? = nil) {
        self.name = name
        self.kind = kind
        self.tokenID = tokenID
    }
}

extension Author {
    /// The author of changes by this program on the host: the login name, which `sudo` passes on in a variable.
    public static var hostUser: Author {
        let login = Process.variable("SUDO_USER") ?? Process.userName ?? "uid \(Process.effectiveUser)"
        return Author(String(login.prefix(100)), .host)
    }
}
