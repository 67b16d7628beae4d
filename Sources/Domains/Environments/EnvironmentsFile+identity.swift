internal import AlmanacHTTPSClient
internal import AlmanacPOSIX

extension EnvironmentsFile {
    /// Reads the member `identity`; returns nil if it is absent.
    static func identity(
        _ section: Section, of name: EnvironmentName, path: String
    ) throws(EnvironmentsFailure) -> IdentitySettings? {
        guard let identity = try section.section("identity") else { return nil }
        try identity.allow(
            "issuer", "audience", "ca_file", "development", "client_id", "client_secret_file", "client_scopes")
        let issuer = try identity.string("issuer")
        let audience = try identity.string("audience")
        let caFile = try identity.string("ca_file")
        if try identity.boolean("development") == true {
            guard issuer == nil, audience == nil, caFile == nil, try identity.string("client_id") == nil else {
                throw identity.failure(
                    "'development' excludes the other members, because a holder of the key could impersonate the "
                        + "issuer's users")
            }
            return .development(
                DevelopmentKeyFiles(
                    environment: name, environmentsFile: path, override: Process.variable("ALMANAC_DEVELOPMENT_KEY")))
        }
        guard let issuer, let audience else {
            throw identity.failure("expected 'issuer' and 'audience', or \"development\": true")
        }
        guard let address = WebAddress(issuer), !issuer.utf8.contains(UInt8(ascii: "?")) else {
            throw identity.failure("'issuer' must be \(WebAddress.form), without ? and #")
        }
        if let caFile {
            do { _ = try File.read(caFile) } catch {
                throw identity.failure("cannot read the CA file \(caFile): \(error)")
            }
        }
        return .provider(issuer: address, audience: audience, caFile: caFile)
    }

    /// Refuses two environments that would accept the same tokens: each token must be valid in one environment only.
    static func checkIdentities(_ environments: [EnvironmentSettings], path: String) throws(EnvironmentsFailure) {
        var seen: [(issuer: [UInt8], audience: [UInt8], name: EnvironmentName)] = []
        for environment in environments {
            guard case .provider(let issuer, let audience, _) = environment.identity else { continue }
            let mine = (issuer: Array(issuer.text.utf8), audience: Array(audience.utf8), name: environment.name)
            if let other = seen.first(where: { $0.issuer == mine.issuer && $0.audience == mine.audience }) {
                throw EnvironmentsFailure(
                    path,
                    "'\(other.name)' and '\(environment.name)' have the same issuer and audience, so a token for one "
                        + "would be valid for the other; give each environment its own audience")
            }
            seen.append(mine)
        }
    }
}
