internal import AlmanacCryptography
public import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTransport

/// Where an issuer's keys come from. Loading blocks, for some seconds at most.
public struct KeySource: Sendable {
    /// Keys, and for how long their issuer says they are good.
    struct Loaded: Sendable {
        let keys: KeySet
        let maxAge: Duration?
    }

    /// Whether loading takes no time that is worth bounding.
    var isQuick = false
    let load: @Sendable () throws(ProviderFailure) -> Loaded

    /// A provider's discovery document (OpenID Connect Discovery §4) and the key set that it names.
    public static func provider(_ issuer: WebAddress, client: HTTPSClient) -> KeySource {
        KeySource { () throws(ProviderFailure) in
            let text = issuer.text
            let base = text.hasSuffix("/") ? String(text.dropLast()) : text
            let discovery = try fetch("\(base)/.well-known/openid-configuration", client)
            let keySetAddress = try keySetAddress(in: discovery.body, of: issuer)
            let document = try fetch(keySetAddress.text, client)
            return Loaded(keys: try KeySet(parsing: document.body), maxAge: maxAge(of: document))
        }
    }

    /// The development issuer's public key, in a file.
    static func file(_ path: String) -> KeySource {
        KeySource(isQuick: true) { () throws(ProviderFailure) in
            do {
                let key = try PublicKey(ed25519PEM: try File.read(path, limit: 4096))
                return Loaded(keys: KeySet([VerificationKey(ed25519: key)]), maxAge: nil)
            } catch {
                throw ProviderFailure("\(path): \(error)")
            }
        }
    }

    private static func fetch(
        _ text: String, _ client: HTTPSClient
    ) throws(ProviderFailure) -> TransportResponse<[UInt8]> {
        guard let address = WebAddress(text) else { throw ProviderFailure("\(text) is not \(WebAddress.form)") }
        let response: TransportResponse<[UInt8]>
        do { response = try client.get(address) } catch { throw ProviderFailure("\(text): \(error)") }
        guard response.status == 200 else {
            throw ProviderFailure("\(text): the answer has the status \(response.status)")
        }
        return response
    }

    /// Where a provider's discovery document says that its keys are.
    static func keySetAddress(
        in document: [UInt8], of issuer: WebAddress
    ) throws(ProviderFailure) -> WebAddress {
        guard let members = (try? JSONValue(parsing: document))?.objectValue else {
            throw ProviderFailure("the discovery document of \(issuer) is no JSON object")
        }
        // A document that speaks for another issuer would let that one make tokens for this one (§4.3).
        guard let name = members["issuer"]?.stringValue, name.hasSameBytes(as: issuer.text) else {
            throw ProviderFailure("the discovery document of \(issuer) is another issuer's")
        }
        guard let address = members["jwks_uri"]?.stringValue.flatMap(WebAddress.init),
            address.isEncrypted || !issuer.isEncrypted
        else { throw ProviderFailure("the jwks_uri of \(issuer) is not \(WebAddress.form)") }
        return address
    }

    /// The `max-age` of an answer's `Cache-Control` (RFC 9111 §5.2.2.1), less the time it spent in caches on the way.
    private static func maxAge(of document: TransportResponse<[UInt8]>) -> Duration? {
        let directives = document.headers["Cache-Control"]?.split(separator: ",") ?? []
        for directive in directives {
            let words = directive.lowercased().filter { $0 != " " && $0 != "\"" }
            if words.hasPrefix("max-age="), let seconds = UInt32(words.dropFirst(8)) {
                return .seconds(seconds) - .seconds(document.headers["Age"].flatMap(UInt32.init) ?? 0)
            }
        }
        return nil
    }
}

/// Why an issuer's keys could not be had, in one line for the log.
public struct ProviderFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
