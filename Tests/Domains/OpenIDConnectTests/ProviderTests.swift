import AlmanacCryptography
import AlmanacHTTPSClient
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacOpenIDConnect

/// Tests tokens and keys of a real provider, including key rotation.
@Suite struct ProviderTests {
    private func verifier(audience: String = Login.audience) throws -> TokenVerifier {
        TokenVerifier(provider: try Login.issuer, audience: audience)
    }

    @Test func `a user who signs in with code and PKCE is known by the access token`() throws {
        let verifier = try verifier()
        let (alice, bob) = (
            try Login(user: "alice", password: "wonderland"), try Login(user: "bob", password: "builder")
        )
        let verified = try verifier.verify(alice.accessToken)
        #expect(verified.subject == "alice")
        #expect(verified.issuer == (try Login.issuer.text))
        #expect(verified.scopes.contains("config:read"))
        let remaining = verified.expiresAt.milliseconds - WallClock.milliseconds
        #expect((3_500_000...3_600_000).contains(remaining))
        #expect(try verifier.verify(bob.accessToken).subject == "bob")
        #expect(throws: LoginFailure.self) { try Login(user: "alice", password: "builder") }
    }

    @Test func `the refresh token and the ID token are refused, though signed with the same key`() throws {
        let verifier = try verifier()
        let login = try Login(user: "alice", password: "wonderland")
        #expect(throws: TokenFailure.notAnAccessToken) { try verifier.verify(login.refreshToken) }
        #expect(throws: TokenFailure.notAnAccessToken) { try verifier.verify(login.idToken) }
        // The ID token's audience is the app. An environment with that audience must refuse the token too.
        #expect(throws: TokenFailure.notAnAccessToken) {
            try self.verifier(audience: "notes-app").verify(login.idToken)
        }
        // The signature is valid, so only the token's own claims tell it from an access token.
        let refresh = try CompactToken(login.refreshToken)
        let source = KeySource.provider(try Login.issuer, client: HTTPSClient())
        let key = try #require(try source.load().keys.key(for: refresh.header))
        #expect(key.isValid(refresh.signature, of: refresh.signedBytes, by: refresh.header.algorithm))
    }

    @Test func `another audience's token and an altered one are refused`() throws {
        let login = try Login(user: "alice", password: "wonderland")
        #expect(throws: TokenFailure.wrongAudience) {
            try verifier(audience: "https://staging.example.com").verify(login.accessToken)
        }
        let parts = login.accessToken.split(separator: ".")
        let other = try Login(user: "bob", password: "builder").accessToken.split(separator: ".")
        #expect(throws: TokenFailure.wrongSignature) { try verifier().verify("\(parts[0]).\(other[1]).\(parts[2])") }
    }

    @Test func `refreshed tokens are valid`() throws {
        let verifier = try verifier()
        let login = try Login(user: "alice", password: "wonderland")
        let refreshed = try login.refreshed()
        #expect(refreshed.accessToken != login.accessToken)
        #expect(try verifier.verify(refreshed.accessToken).subject == "alice")
    }

    @Test func `keys rotate without anybody noticing, until the old key is withdrawn`() throws {
        let provider = try DedicatedProvider()
        let clock = TestClock()
        let keys = KeyStore(.provider(provider.issuer, client: HTTPSClient()), clock: clock.server)
        let verifier = TokenVerifier(issuer: provider.issuer.text, audience: Login.audience, keys: keys)
        let first = try Login(user: "alice", password: "wonderland", at: provider.issuer).accessToken
        #expect(try verifier.verify(first).subject == "alice")

        try provider.rotateKeys()
        let bob = try Login(user: "bob", password: "builder", at: provider.issuer)
        let second = bob.accessToken
        // An access token with an unknown key rarely triggers a fetch of keys, but a fresh ID token does.
        #expect(throws: TokenFailure.unknownKey) { try verifier.verify(second) }
        let user = try verifier.verify(
            identity: bob.idToken, of: Login.client, nonce: bob.nonce, authenticatedSince: nil, claims: [])
        #expect(user.subject == "bob")
        #expect(try CompactToken(second).header.keyID != CompactToken(first).header.keyID)
        #expect(try verifier.verify(second).subject == "bob")
        #expect(try verifier.verify(first).subject == "alice")

        try provider.rotateKeys()
        clock.advance(by: .seconds(3600))
        #expect(eventually { (try? verifier.verify(first)) == nil })
        #expect(throws: TokenFailure.unknownKey) { try verifier.verify(first) }
        #expect(try verifier.verify(second).subject == "bob")
    }
}
