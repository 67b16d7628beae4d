internal import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// A profile: the server, the environment and the credentials of a user.
public struct Profile: Sendable, Equatable {
    /// The server's URL: `https://almanac.example.com`.
    public var url: String?
    public var environment: String?
    /// The path of the token file; `{environment}` stands for the environment's name.
    public var tokenFile: String?
    /// The only trusted certificate authorities, in PEM; nil trusts the authorities of the system.
    public var caFile: String?
    /// The identity provider's issuer URL, byte for byte.
    public var issuer: String?
    /// The command line's client id at the provider.
    public var clientID: String?
    /// The only trusted certificate authorities for the provider, in PEM; nil trusts the authorities of the system.
    public var issuerCAFile: String?

    public init(
        url: String? = nil, environment: String? = nil, tokenFile: String? = nil, caFile: String? = nil,
        issuer: String? = nil, clientID: String? = nil, issuerCAFile: String? = nil
    ) {
        self.url = url
        self.environment = environment
        self.tokenFile = tokenFile
        self.caFile = caFile
        self.issuer = issuer
        self.clientID = clientID
        self.issuerCAFile = issuerCAFile
    }

    /// Returns this profile with missing values filled from another profile.
    public func completed(by other: Profile) -> Profile {
        Profile(
            url: url ?? other.url, environment: environment ?? other.environment,
            tokenFile: tokenFile ?? other.tokenFile, caFile: caFile ?? other.caFile, issuer: issuer ?? other.issuer,
            clientID: clientID ?? other.clientID, issuerCAFile: issuerCAFile ?? other.issuerCAFile)
    }
}

/// A user's file of profiles.
///
///     { "default": "local",
///       "profiles": { "local": { "url": "https://localhost:8443", "environment": "development",
///                                "token_file": "development.token", "ca_file": "ca.pem" } } }
///
/// A path is relative to the file's folder or begins with `~/`.
public struct ProfileFile: Sendable {
    public let path: String
    /// The profiles with their names, in the file's order.
    public let profiles: [(name: String, profile: Profile)]
    private let standard: String?

    /// Reads and validates a file. Returns nil if there is no file.
    public init?(_ path: String) throws(SettingsFailure) {
        self.path = path
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try File.read(path, limit: 1 << 20) } catch {
            if error.isMissingFile { return nil }
            throw SettingsFailure("profile file \(path): \(error)")
        }
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes) } catch {
            throw SettingsFailure("profile file \(path): \(error)")
        }
        guard let root = document.objectValue, let members = root["profiles"]?.objectValue,
            root.members.allSatisfy({ ["default", "profiles"].contains($0.name) })
        else {
            throw SettingsFailure(
                "profile file \(path): expected an object with 'profiles', an object with a member per profile, and "
                    + "'default', the name of a profile")
        }
        var profiles: [(name: String, profile: Profile)] = []
        for member in members.members {
            profiles.append((member.name, try Self.profile(member.value, named: member.name, path: path)))
        }
        self.profiles = profiles
        standard = root["default"]?.stringValue
        if let value = root["default"], value.stringValue.flatMap({ members[$0] }) == nil {
            throw SettingsFailure("profile file \(path): 'default' is not the name of a profile")
        }
    }

    /// Returns the profile of this name. Without a name, returns the default profile or the only profile.
    public func profile(_ name: String? = nil) -> Profile? {
        if let name = name ?? standard { return profiles.first { $0.name.utf8.elementsEqual(name.utf8) }?.profile }
        return profiles.count == 1 ? profiles[0].profile : nil
    }

    private static func profile(_ value: JSONValue, named name: String, path: String) throws(SettingsFailure) -> Profile
    {
        let names = ["url", "environment", "token_file", "ca_file", "issuer", "client_id", "issuer_ca_file"]
        guard let object = value.objectValue,
            object.members.allSatisfy({ names.contains($0.name) && $0.value.stringValue?.isEmpty == false })
        else {
            throw SettingsFailure(
                "profile file \(path): profile '\(name)' must be an object with texts for some of "
                    + names.joined(separator: ", "))
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func file(_ member: String) -> String? {
            object[member]?.stringValue.map { text in
                if text.hasPrefix("~/"), let home = Process.variable("HOME") { return home + text.dropFirst() }
                return text.hasPrefix("/") ? text : folder + text
            }
        }
        return Profile(
            url: object["url"]?.stringValue, environment: object["environment"]?.stringValue,
            tokenFile: file("token_file"), caFile: file("ca_file"), issuer: object["issuer"]?.stringValue,
            clientID: object["client_id"]?.stringValue, issuerCAFile: file("issuer_ca_file"))
    }
}

/// The address of an environment on a server.
public struct EnvironmentAddress: Sendable, Hashable, CustomStringConvertible {
    /// The server's URL without a trailing slash.
    public let server: String
    public let name: String

    /// - Throws: ``SettingsFailure`` if a value of the profile is missing or invalid.
    public init(_ profile: Profile) throws(SettingsFailure) {
        guard let url = profile.url else {
            throw SettingsFailure("the server is missing: give --url, set ALMANAC_URL, or write a profile file")
        }
        guard let name = profile.environment else {
            throw SettingsFailure(
                "the environment is missing: give --environment, set ALMANAC_ENVIRONMENT, or name it in "
                    + "the profile")
        }
        guard Self.isSlug(name) else {
            throw SettingsFailure(
                "'\(name)' is not a valid environment name; expected a letter a-z, then a-z, 0-9 and hyphens")
        }
        guard WebAddress(url) != nil, !url.contains("?") else {
            throw SettingsFailure("'\(url)' is not a valid server address; expected \(WebAddress.form)")
        }
        server = String(url.reversed().drop { $0 == "/" }.reversed())
        self.name = name
    }

    public var description: String { "\(server)/\(name)" }

    private static func isSlug(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && (97...122).contains(text.utf8.first ?? 0)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }
}

/// A missing or invalid setting, described in one line.
public struct SettingsFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
