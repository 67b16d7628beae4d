internal import AlmanacHTTPSClient

/// Where one environment of a server is.
public struct EnvironmentAddress: Sendable, Hashable, CustomStringConvertible {
    /// The server's address, without a slash at its end.
    public let server: String
    public let name: String

    /// - Throws: what is missing in a profile, or wrong with it.
    public init(_ profile: Profile) throws(SettingsFailure) {
        guard let url = profile.url else {
            throw SettingsFailure(
                "it is not known which server to ask: give --url, set ALMANAC_URL, or write a profile file")
        }
        guard let name = profile.environment else {
            throw SettingsFailure(
                "it is not known which environment to ask: give --environment, set ALMANAC_ENVIRONMENT, or name it in "
                    + "the profile")
        }
        guard Self.isSlug(name) else {
            throw SettingsFailure("'\(name)' is no environment name; expected a letter a-z, then a-z, 0-9 and hyphens")
        }
        guard WebAddress(url) != nil, !url.contains("?") else {
            throw SettingsFailure("'\(url)' is no address of a server; expected \(WebAddress.form)")
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
