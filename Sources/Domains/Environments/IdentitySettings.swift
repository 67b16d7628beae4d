public import AlmanacHTTPSClient

/// Whose tokens an environment takes for its users'.
public enum IdentitySettings: Sendable, Equatable {
    /// An OpenID Connect provider's.
    ///
    /// - audience: what must be among a token's `aud`.
    /// - caFile: the only certificate authorities that may vouch for the provider; nil trusts those of the system.
    case provider(issuer: WebAddress, audience: String, caFile: String?)
    /// Those that `almanac token user` makes.
    case development(DevelopmentKeyFiles)
}

/// Where the development issuer keeps its key.
public struct DevelopmentKeyFiles: Sendable, Equatable {
    /// For who makes tokens.
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
