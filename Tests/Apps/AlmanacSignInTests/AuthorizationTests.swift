import AlmanacCryptography
import Foundation
import Testing

@testable import AlmanacSignIn

@Suite struct AuthorizationTests {
    private static let redirect = "com.example.notes:/callback"

    /// Signs in with the given parts of the provider's responses.
    private func signIn(
        discovery: String = ScriptedProvider.discovery(),
        query: (String) -> String = { "state=\($0)&code=secret-code" },
        claims: @escaping @Sendable (String) -> String = Self.claims, redirect: String = Self.redirect
    ) async throws -> (storage: MemoryStorage, provider: ScriptedProvider, request: AuthorizationRequest) {
        let nonce = Shared()
        let provider = ScriptedProvider(discovery: discovery) { _, _ in
            .tokens(1, idToken: idToken(claims(await nonce.value)))
        }
        let storage = MemoryStorage()
        let session = provider.session(storage)
        let request = try await session.begin(redirect: Self.redirect)
        await nonce.set(request.nonce)
        let callback = try #require(URL(string: "\(redirect)?\(query(request.state))"))
        try await session.complete(request, callback: callback)
        return (storage, provider, request)
    }

    private static func claims(_ nonce: String) -> String {
        #"{"iss": "https://login.example.com", "sub": "alice", "aud": "notes-app", "exp": 4600, "nonce": "\#(nonce)"}"#
    }

    @Test func `the page is asked for with PKCE, state and nonce, and the code is traded with the verifier`()
        async throws
    {
        let (storage, provider, request) = try await signIn()
        let page = try #require(Form.decode(String(request.url.absoluteString.split(separator: "?")[1])))
        #expect(page["tenant"] == "7")
        #expect(page["response_type"] == "code")
        #expect(page["redirect_uri"] == Self.redirect)
        #expect(page["scope"] == "openid offline_access")
        #expect(page["code_challenge_method"] == "S256")
        #expect(page["code_challenge"] == challenge(of: request.verifier))
        #expect(Set([request.state, request.nonce, request.verifier].map(\.utf8.count)) == [43])
        #expect(!request.url.absoluteString.contains(request.verifier))
        let form = try #require(provider.requests.first).form
        #expect(
            form == [
                "grant_type": "authorization_code", "code": "secret-code", "redirect_uri": Self.redirect,
                "code_verifier": request.verifier, "client_id": "notes-app",
            ])
        let stored = try #require(await storage.stored)
        #expect(stored.account == UserAccount(issuer: ScriptedProvider.issuer, subject: "alice"))
        #expect(stored.tokens?.refreshToken == "refresh-1")
        #expect(stored.tokens?.expiresAt == Date(timeIntervalSince1970: 4600))
    }

    private func challenge(of verifier: String) -> String {
        AlmanacCryptography.Base64URL.encode(SHA256.digest(Array(verifier.utf8)))
    }

    @Test func `two sign-ins share no secret`() async throws {
        let (one, other) = (try await signIn().request, try await signIn().request)
        #expect(Set([one.state, one.nonce, one.verifier, other.state, other.nonce, other.verifier]).count == 6)
    }

    @Test(arguments: [
        "code=secret-code", "state=&code=secret-code", "state=other&code=secret-code", "state=STATE",
        "state=STATE&code=",
        "state=STATE&code=secret-code&code=secret-code", "state=STATE&state=STATE&code=secret-code",
        "state=STATE&code=secret-code&iss=https://evil.example.com", "state=STATEx&code=secret-code", "",
    ])
    func `an answer with another state, another issuer or no code is refused, and its code goes nowhere`(
        query: String
    ) async throws {
        await #expect {
            try await signIn(query: { query.replacing("STATE", with: $0) })
        } throws: {
            if case SignInFailure.wrongCallback = $0 { !"\($0)".contains("secret-code") } else { false }
        }
    }

    @Test func `a provider that sends its name with every answer has to`() async throws {
        let discovery = ScriptedProvider.discovery(#", "authorization_response_iss_parameter_supported": true"#)
        await #expect(throws: SignInFailure.self) { try await signIn(discovery: discovery) }
        _ = try await signIn(
            discovery: discovery, query: { "state=\($0)&iss=https%3A%2F%2Flogin.example.com&code=secret-code" })
    }

    @Test(arguments: ["com.example.other:/callback", "com.example.notes:/callbacks", "https://example.com/callback"])
    func `an answer at another address is refused`(redirect: String) async throws {
        await #expect(throws: SignInFailure.self) { try await signIn(redirect: redirect) }
    }

    @Test func `a refusal on the page is told, cut to what a message can hold`() async throws {
        await #expect(throws: SignInFailure.denied("access_denied")) {
            try await signIn(query: { "state=\($0)&error=access_denied" })
        }
        await #expect(throws: SignInFailure.denied(String(repeating: "x", count: 50))) {
            try await signIn(query: { "state=\($0)&error=" + String(repeating: "x%0A", count: 5000) })
        }
    }

    @Test(arguments: [
        ("NONCE", "other"), ("NONCE", ""), (#", "nonce": "NONCE""#, ""),
        ("https://login.example.com", "https://evil.example"),
        ("https://login.example.com", "https://login.example.com/"), (#""aud": "notes-app""#, #""aud": "other-app""#),
        (#""aud": "notes-app""#, #""aud": ["other", "notes-app"]"#), (#""aud": "notes-app""#, #""aud": []"#),
        (#""aud": "notes-app""#, #""aud": "notes-app", "azp": "other""#), ("4600", "900"), ("4600", "\"4600\""),
        (#""sub": "alice""#, #""sub": """#), (#""sub": "alice""#, #""sub": "a\u0000""#), (#""sub": "alice", "#, ""),
        ("{", "["),
    ])
    func `an ID token that is not for this sign-in is refused`(part: String, other: String) async throws {
        await #expect {
            try await signIn(claims: { nonce in
                Self.claims("NONCE").replacing(part, with: other).replacing("NONCE", with: nonce)
            })
        } throws: {
            if case SignInFailure.wrongIDToken = $0 { true } else { false }
        }
    }

    @Test func `one for several apps, made for this one, is taken`() async throws {
        _ = try await signIn(claims: {
            Self.claims($0).replacing(
                #""aud": "notes-app""#, with: #""aud": ["other", "notes-app"], "azp": "notes-app""#)
        })
    }

    @Test func `printed values show no secret`() async throws {
        let (storage, _, request) = try await signIn()
        var text = "\(request) \(String(reflecting: request)) \(String(describing: await storage.stored))"
        dump(request, to: &text)
        dump(await storage.stored, to: &text)
        for secret in [request.verifier, request.state, request.nonce, "access-1", "refresh-1"] {
            #expect(!text.contains(secret))
        }
    }
}

/// A text that is set later.
private actor Shared {
    private(set) var value = ""

    func set(_ value: String) { self.value = value }
}
