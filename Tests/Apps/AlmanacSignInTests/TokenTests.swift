import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

@Suite struct TokenTests {
    @Test func `a token that is good for longer than the leeway is given without asking`() async throws {
        let provider = ScriptedProvider()
        let session = provider.session(MemoryStorage(.alice(expiresAt: 1061)))
        #expect(try await session.accessToken() == "access-0")
        #expect(provider.requests.isEmpty)
    }

    @Test(arguments: [(1060.0, nil), (500, nil), (9000, "access-0")] as [(Double, String?)])
    func `one that ends soon, or that the server refused, is refreshed by rotation`(
        end: Double, refused: String?
    ) async throws {
        let provider = ScriptedProvider { _, count in .tokens(count + 1) }
        let storage = MemoryStorage(.alice(expiresAt: end))
        let session = provider.session(storage)
        #expect(try await session.accessToken(replacing: refused) == "access-1")
        #expect(try await session.accessToken(replacing: refused) == "access-1")
        #expect(
            provider.requests.map(\.form) == [
                ["grant_type": "refresh_token", "refresh_token": "refresh-0", "client_id": "notes-app"]
            ])
        #expect(try await session.accessToken(replacing: "access-1") == "access-2")
        #expect(provider.requests.last?.form["refresh_token"] == "refresh-1")
        #expect(await storage.stored?.tokens?.refreshToken == "refresh-2")
    }

    @Test func `a hundred that ask at once cause one refresh`() async throws {
        let provider = ScriptedProvider { _, count in
            // Let all callers ask before the response arrives.
            for _ in 0..<1000 { await Task.yield() }
            return .tokens(count + 1)
        }
        let session = provider.session(MemoryStorage(.alice(expiresAt: 500)))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await session.accessToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["access-1"])
        #expect(provider.requests.count == 1)
    }

    @Test func `a caller that is cancelled does not lose the new refresh token`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let asked = AsyncStream<Void>.makeStream()
        let provider = ScriptedProvider { _, count in
            asked.continuation.finish()
            for await _ in gate.stream {}
            return .tokens(count + 1)
        }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        let session = provider.session(storage)
        let caller = Task { try await session.accessToken() }
        for await _ in asked.stream {}
        caller.cancel()
        gate.continuation.finish()
        _ = await caller.result
        #expect(try await session.accessToken() == "access-1")
        #expect(await storage.stored?.tokens?.refreshToken == "refresh-1")
        #expect(provider.requests.count == 1)
    }

    @Test func `a provider that gives no new refresh token means the old one to go on`() async throws {
        let provider = ScriptedProvider { _, _ in .json(#"{"access_token": "a", "token_type": "Bearer"}"#) }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        #expect(try await provider.session(storage).accessToken() == "a")
        #expect(await storage.stored?.tokens == TokenSet(accessToken: "a", expiresAt: nil, refreshToken: "refresh-0"))
    }

    @Test func `a refresh token that is taken no more ends in signing in again, and the tokens are gone`() async throws
    {
        let provider = ScriptedProvider { _, _ in .json(#"{"error": "invalid_grant"}"#, status: 400) }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        let session = provider.session(storage)
        for _ in 0..<2 { await #expect(throws: SignInRequired(.ended)) { try await session.accessToken() } }
        #expect(await storage.stored?.tokens == nil)
        #expect(
            await session.status == .signInAgain(UserAccount(issuer: ScriptedProvider.issuer, subject: "alice")))
        #expect(provider.requests.count == 1)
        #expect("\(SignInRequired(.ended))".contains("sign in again"))
    }

    @Test func `without a refresh token the end of the access token is that of the sign-in`() async throws {
        let session = ScriptedProvider().session(MemoryStorage(.alice(expiresAt: 500, refreshToken: nil)))
        await #expect(throws: SignInRequired(.ended)) { try await session.accessToken() }
    }

    @Test(arguments: [
        (200, ""), (200, "<html></html>"), (200, "[]"), (200, "{}"),
        (200, #"{"access_token": "", "token_type": "Bearer"}"#),
        (200, #"{"access_token": "a b", "token_type": "Bearer"}"#),
        (200, #"{"access_token": "a", "token_type": "mac"}"#),
        (200, #"{"access_token": "a", "token_type": "Bearer", "expires_in": -5}"#),
        (200, #"{"access_token": "a", "token_type": "Bearer", "refresh_token": "\n"}"#), (500, ""), (503, "{}"),
        (302, ""),
        (400, #"{"error": "invalid_client"}"#), (401, #"{"error": "temporarily\nunavailable"}"#), (429, "slow down"),
        (200, String(repeating: " ", count: 2 << 20)), (400, String(repeating: "[", count: 100_000)),
    ])
    func `any other answer is a failure that keeps the sign-in`(status: Int, body: String) async throws {
        let provider = ScriptedProvider { _, _ in .json(body, status: status) }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        await #expect { try await provider.session(storage).accessToken() } throws: {
            guard let failure = $0 as? SignInFailure, !"\(failure)".contains("refresh-0") else { return false }
            return switch failure {
            case .unexpectedResponse, .refused: true
            default: false
            }
        }
        #expect(await storage.stored == .alice(expiresAt: 500))
    }

    @Test func `without a network the sign-in stays, and goes on when it is back`() async throws {
        let isOffline = Monitor(true)
        let provider = ScriptedProvider { _, count throws(TransportFailure) in
            if isOffline.read({ $0 }) { throw .unreachable("no network") }
            return .tokens(count)
        }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        let session = provider.session(storage)
        await #expect { try await session.accessToken() } throws: {
            if case SignInFailure.unreachable = $0 { true } else { false }
        }
        #expect(await storage.stored == .alice(expiresAt: 500))
        isOffline.update { $0 = false }
        #expect(try await session.accessToken() == "access-1")
    }

    @Test func `an ID token of somebody else with a refresh ends the sign-in`() async throws {
        let token = idToken(#"{"iss": "https://login.example.com", "sub": "mallory", "aud": "notes-app", "exp": 4600}"#)
        let provider = ScriptedProvider { _, _ in .tokens(1, idToken: token) }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        await #expect { try await provider.session(storage).accessToken() } throws: {
            if case SignInFailure.wrongIDToken = $0 { true } else { false }
        }
        #expect(await storage.stored?.tokens == nil)
    }

    @Test func `tokens of another app or provider are not touched`() async throws {
        let provider = ScriptedProvider { _, count in .tokens(count + 1) }
        let storage = MemoryStorage(.alice(expiresAt: 500))
        let other = provider.session(storage, clientID: "other-app")
        await #expect(throws: SignInRequired(.signedOut)) { try await other.accessToken() }
        #expect(await other.status == .signedOut)
        #expect(provider.requests.isEmpty)
    }

    @Test func `a storage that cannot be read is a status, not the end of the sign-in`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("sign-in.json", Array("{".utf8))
        let session = ScriptedProvider().session(FileTokenStorage(file: URL(fileURLWithPath: path)))
        guard case .unreadable(.storage(let reason)) = await session.status else {
            Issue.record("\(await session.status)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func `signing out removes the tokens even when the provider cannot be told`() async throws {
        let revocation = ScriptedProvider.discovery(#", "revocation_endpoint": "https://login.example.com/revoke""#)
        let offering = ScriptedProvider(discovery: revocation) { _, _ in .json("") }
        let failing = ScriptedProvider(discovery: revocation)
        for (provider, outcome) in [
            (offering, Revocation.done), (failing, .failed(.refused(status: 500, error: nil))),
            (ScriptedProvider(), .notOffered),
        ] {
            let storage = MemoryStorage(.alice(expiresAt: 5000))
            let session = provider.session(storage)
            #expect(try await session.signOut() == outcome)
            #expect(await storage.stored == nil)
            #expect(await session.status == .signedOut)
            await #expect(throws: SignInRequired(.signedOut)) { try await session.accessToken() }
        }
        #expect(offering.requests.first?.form["token"] == "refresh-0")
    }
}
