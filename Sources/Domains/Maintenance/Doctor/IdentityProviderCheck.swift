internal import AlmanacEnvironments
internal import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTransport

/// The check that the keys for users' tokens can be fetched.
enum IdentityProviderCheck {
    static func finding(_ settings: EnvironmentSettings) -> Finding {
        let (check, place) = ("identity provider", settings.name.text)
        switch settings.identity {
        case nil: return .skipped(check, place, "the environment has no users")
        case .development(let files):
            guard (try? File.read(files.publicKey, limit: 4096)) != nil else {
                return .skipped(
                    check, place, "no development token exists yet; run almanac token user \(place) --sub alice")
            }
            return .warning(
                check, place, "development tokens are accepted, signed with \(files.privateKey)",
                advice: "in production, set 'issuer' and 'audience' instead")
        case .provider(let issuer, _, let caFile):
            do {
                let count = try keys(of: issuer, HTTPSClient(caFile: caFile), signsIn: settings.signIn != nil)
                return .good(check, place, "\(issuer) answers and has \(count) keys")
            } catch {
                let advice = "check that this host can reach the provider, and that 'issuer' and 'ca_file' are correct"
                return .failed(check, place, "\(issuer): \(error)", advice: advice)
            }
        }
    }

    /// Returns the number of keys in an issuer's discovery document (OpenID Connect Discovery §4).
    ///
    /// - Parameter signsIn: true if browsers sign in at the issuer too, which needs more endpoints.
    private static func keys(of issuer: WebAddress, _ client: HTTPSClient, signsIn: Bool) throws -> Int {
        let base = String(issuer.text.reversed().drop { $0 == "/" }.reversed())
        let discovery = try object(at: "\(base)/.well-known/openid-configuration", client)
        guard discovery["issuer"]?.stringValue?.utf8.elementsEqual(issuer.text.utf8) == true else {
            throw MaintenanceFailure(
                "its discovery document names the issuer \(discovery["issuer"]?.description ?? "not at all")")
        }
        for name in signsIn ? ["authorization_endpoint", "token_endpoint"] : [] {
            guard discovery[name]?.stringValue.flatMap(WebAddress.init) != nil else {
                throw MaintenanceFailure("browsers cannot sign in: its discovery document names no \(name)")
            }
        }
        guard let address = discovery["jwks_uri"]?.stringValue else {
            throw MaintenanceFailure("its discovery document names no jwks_uri")
        }
        guard let keys = try object(at: address, client)["keys"]?.arrayValue, !keys.isEmpty else {
            throw MaintenanceFailure("\(address) has no keys")
        }
        return keys.count
    }

    private static func object(at text: String, _ client: HTTPSClient) throws -> JSONObject {
        guard let address = WebAddress(text) else { throw MaintenanceFailure("\(text) is not \(WebAddress.form)") }
        let response = try client.get(address)
        guard response.status == 200 else {
            throw MaintenanceFailure("the response has the status \(response.status)")
        }
        guard let object = try JSONValue(parsing: response.body).objectValue else {
            throw MaintenanceFailure("\(text) is not a JSON object")
        }
        return object
    }
}
