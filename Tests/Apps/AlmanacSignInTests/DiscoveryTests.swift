import Foundation
import Testing

@testable import AlmanacSignIn

@Suite struct DiscoveryTests {
    private func begin(_ discovery: String, issuer: String = ScriptedProvider.issuer) async throws {
        let options = SignInOptions(
            issuer: issuer, clientID: "notes-app", transport: ScriptedProvider(discovery: discovery).transport)
        _ = try await SignInSession(options, storage: MemoryStorage()).begin(redirect: "com.example:/callback")
    }

    @Test func `a document of that issuer is taken`() async throws {
        try await begin(ScriptedProvider.discovery())
        try await begin(ScriptedProvider.discovery(#", "code_challenge_methods_supported": ["plain", "S256"]"#))
    }

    @Test(arguments: [
        "", "<html>Sign in to our network</html>", "[]", "{}", #"{"issuer": 5}"#,
        String(repeating: "[", count: 100_000),
        ScriptedProvider.discovery().replacing("\"issuer\": \"https://login", with: "\"issuer\": \"https://evil"),
        ScriptedProvider.discovery().replacing("example.com\"", with: "example.com/\""),
        ScriptedProvider.discovery(#", "code_challenge_methods_supported": ["plain"]"#),
        ScriptedProvider.discovery().replacing("https://login.example.com/token", with: "http://127.0.0.1/token"),
        ScriptedProvider.discovery().replacing("https://login.example.com/token", with: "ftp://login.example.com"),
        ScriptedProvider.discovery(#", "revocation_endpoint": "http://login.example.com/revoke""#),
    ])
    func `one that is another's, or cannot be, is refused`(document: String) async throws {
        await #expect { try await begin(document) } throws: {
            if case SignInFailure.unexpectedResponse = $0 { true } else { false }
        }
    }

    @Test(arguments: [
        "", "login.example.com", "http://login.example.com", "https://login.example.com?x=1",
        "https://a:b@login.example.com",
        "https://login.example.com#top", "http://127.0.0.1.example.com", "file:///etc", "https://",
        "https://exämple.com",
    ])
    func `an issuer at which nobody should type a password is refused before it is asked`(issuer: String) async throws {
        await #expect { try await begin(ScriptedProvider.discovery(), issuer: issuer) } throws: {
            if case SignInFailure.setting = $0 { true } else { false }
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:9", "http://127.0.0.1:9/"), ("http://localhost:9/realm", "http://localhost:9/realm/"),
        ("http://[::1]:9", "http://[::1]:9/"), ("https://login.example.com/realm/", "https://login.example.com/realm/"),
    ])
    func `the document lies below the issuer, and plain HTTP is for this machine`(
        issuer: String, folder: String
    ) throws {
        let address = try ProviderMetadata.address(of: issuer).absoluteString
        #expect(address == folder + ".well-known/openid-configuration")
    }
}
