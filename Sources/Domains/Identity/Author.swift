internal import AlmanacPOSIX

/// Somebody who did something, as the history and the audit log name them.
public struct Author: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// The bearer of an API token.
        case token
        /// The bearer of a user's access token.
        case user
        /// Somebody with a command line on the host.
        case host
    }

    /// A token's label, a user's subject, or a login.
    public let name: String
    public let kind: Kind
    /// The id of their API token.
    public let tokenID: String?

    public init(_ name: String, _ kind: Kind, tokenID: String? = nil) {
        self.name = name
        self.kind = kind
        self.tokenID = tokenID
    }
}

extension Author {
    /// Whoever runs this program on the host. It knows of `sudo` who was behind it.
    public static var atHost: Author {
        let login = Process.variable("SUDO_USER") ?? Process.userName ?? "uid \(Process.effectiveUser)"
        return Author(String(login.prefix(100)), .host)
    }
}
