internal import AlmanacCryptography
public import AlmanacHTTPSClient
internal import AlmanacJSON
public import AlmanacPOSIX
internal import AlmanacTransport
internal import Synchronization

/// The source of an issuer's keys. Loading blocks for some seconds at most.
public struct KeySource: Sendable {
    /// The keys, and the time for which the issuer permits caching them.
    struct Loaded: Sendable {
        let keys: KeySet
        let maxAge: Duration?
    }

    /// True if loading is local and fast, so that waiting needs no limit.
    var isLocal = false
    let load: @Sendable () throws(ProviderFailure) -> Loaded

    /// Returns a source that reads a provider's discovery document (OpenID Connect Discovery §4) and its key set.
    ///
    /// The document is read again once its cached copy is stale, or if the keys were not at the address in it.
    public static func provider(_ issuer: WebAddress, client: HTTPSClient, clock: ServerClock = .system) -> KeySource {
        let place = KeySetAddressCache()
        return KeySource { () throws(ProviderFailure) in
            let address = try place.address(at: clock.now()) { () throws(ProviderFailure) in
                try keySetAddress(in: try discoveryDocument(of: issuer, client), of: issuer)
            }
            do throws(ProviderFailure) {
                let document = try fetch(address.text, client)
                return Loaded(keys: try KeySet(parsing: document.body), maxAge: maxAge(of: document))
            } catch {
                place.forget()
                throw error
            }
        }
    }

    /// Returns a source that reads the development issuer's public key from a file.
    static func file(_ path: String) -> KeySource {
        KeySource(isLocal: true) { () throws(ProviderFailure) in
            do {
                let key = try PublicKey(ed25519PEM: try File.read(path, limit: 4096))
                return Loaded(keys: KeySet([VerificationKey(ed25519: key)]), maxAge: nil)
            } catch {
                throw ProviderFailure("\(path): \(error)")
            }
        }
    }

    /// Fetches a provider's discovery document (OpenID Connect Discovery §4).
    static func discoveryDocument(of issuer: WebAddress, _ client: HTTPSClient) throws(ProviderFailure) -> [UInt8] {
        let text = issuer.text
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        return try fetch("\(base)/.well-known/openid-configuration", client).body
    }

    private static func fetch(
        _ text: String, _ client: HTTPSClient
    ) throws(ProviderFailure) -> TransportResponse<[UInt8]> {
        guard let address = WebAddress(text) else { throw ProviderFailure("\(text) is not \(WebAddress.form)") }
        let response: TransportResponse<[UInt8]>
        do { response = try client.get(address) } catch { throw ProviderFailure("\(text): \(error)") }
        guard response.status == 200 else {
            throw ProviderFailure("\(text): the response has the status \(response.status)")
        }
        return response
    }

    /// Returns the address of the keys in a provider's discovery document.
    static func keySetAddress(in document: [UInt8], of issuer: WebAddress) throws(ProviderFailure) -> WebAddress {
        try address("jwks_uri", in: document, of: issuer)
    }

    /// Returns one of the addresses in a provider's discovery document.
    static func address(
        _ name: String, in document: [UInt8], of issuer: WebAddress
    ) throws(ProviderFailure) -> WebAddress {
        guard let members = (try? JSONValue(parsing: document))?.objectValue else {
            throw ProviderFailure("the discovery document of \(issuer) is not a JSON object")
        }
        // A document that names another issuer would let that issuer sign tokens for this one (§4.3).
        guard let claimed = members["issuer"]?.stringValue, claimed.hasSameBytes(as: issuer.text) else {
            throw ProviderFailure("the discovery document of \(issuer) names another issuer")
        }
        guard let address = members[name]?.stringValue.flatMap(WebAddress.init),
            address.isEncrypted || !issuer.isEncrypted
        else { throw ProviderFailure("the \(name) of \(issuer) is not \(WebAddress.form)") }
        return address
    }

    /// Returns the `max-age` of a response's `Cache-Control` (RFC 9111 §5.2.2.1) minus its `Age`.
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

/// The cached address of a provider's keys.
private final class KeySetAddressCache: Sendable {
    private let known = Mutex<(address: WebAddress, discoveredAt: ContinuousClock.Instant)?>(nil)

    /// The time for which the discovery document is cached.
    private static let cacheLifetime = Duration.seconds(60)

    func address(
        at now: ContinuousClock.Instant, discover: () throws(ProviderFailure) -> WebAddress
    ) throws(ProviderFailure) -> WebAddress {
        if let known = known.withLock(\.self), now - known.discoveredAt < Self.cacheLifetime { return known.address }
        let address = try discover()
        known.withLock { $0 = (address, now) }
        return address
    }

    func forget() { known.withLock { $0 = nil } }
}

/// The reason why an issuer's keys could not be fetched, in one line for the log.
public struct ProviderFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
