import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

@testable import AlmanacOpenIDConnect

extension TokenVerifier {
    /// Creates a verifier for the made-up issuer's tokens, with a fixed time.
    ///
    /// - Parameter published: the issuer's key set.
    static func test(
        issuer: String = TestToken.issuer, audience: String = TestToken.audience, published: [UInt8]? = nil,
        at seconds: Int64 = TestToken.now
    ) throws -> TokenVerifier {
        let keys = try KeySet(parsing: try published ?? TestKeys.published)
        let source = KeySource { .init(keys: keys, maxAge: nil) }
        return TokenVerifier(issuer: issuer, audience: audience, keys: KeyStore(source), clock: .wall { seconds })
    }
}
