import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

/// Tests with a real provider and its sign-in page.
///
/// They are serialized, because a test's refreshers may keep the provider busy.
@Suite(.serialized) struct ProviderTests {
    private let folder: TemporaryFolder
    private let storage: FileTokenStorage
    private let session: SignInSession

    init() throws {
        folder = try TemporaryFolder()
        storage = FileTokenStorage(file: URL(fileURLWithPath: folder.path + "/tokens.json"))
        session = SignInSession(try Self.options, storage: storage)
    }

    /// The sign-in options, with a long timeout because other tests keep the machine busy.
    private static var options: SignInOptions {
        get throws {
            var options = SignInOptions(issuer: try Browser.issuer, clientID: "notes-app")
            options.timeout = .seconds(120)
            return options
        }
    }

    @discardableResult
    private func signIn() async throws -> UserAccount {
        let loopback = try LoopbackRedirect()
        let request = try await session.begin(redirect: loopback.address)
        async let callback = loopback.callback(within: .seconds(300)) { request.isAnswered(by: $0) }
        #expect(try await Browser.open(try await Browser.signIn(at: request.url)) == 200)
        return try await session.complete(request, callback: try await callback)
    }

    @Test func `a user signs in on another device, with a code`() async throws {
        let request = try await session.beginOnAnotherDevice()
        let page = try #require(request.completePage)
        #expect(page.absoluteString.contains(request.userCode))
        try await onThread { try SignInBrowser.answer("\(page)", code: request.userCode) }
        #expect(try await session.complete(request) == UserAccount(issuer: try Browser.issuer, subject: "alice"))
        let tokens = try #require(try await storage.load()?.tokens)
        #expect(try await session.accessToken(replacing: tokens.accessToken) != tokens.accessToken)
    }

    @Test func `a user who says no on another device is not signed in`() async throws {
        let request = try await session.beginOnAnotherDevice()
        try await onThread { try SignInBrowser.answer("\(request.page)", code: request.userCode, isRefusal: true) }
        await #expect(throws: SignInFailure.denied("access_denied")) { try await session.complete(request) }
    }

    /// Starts the program that repeatedly requests another token.
    private func refresher(rounds: Int) throws -> BackgroundCommand {
        return try BackgroundCommand(
            Checkout.program("almanac-sign-in-refresher"),
            [storage.file.path, try Browser.issuer, "notes-app", "\(rounds)"])
    }

    @Test func `a user who signs in is known, and tokens are refreshed by rotation`() async throws {
        #expect(try await signIn() == UserAccount(issuer: try Browser.issuer, subject: "alice"))
        let first = try #require(try await storage.load()?.tokens)
        #expect(try await session.accessToken() == first.accessToken)
        #expect(abs(try #require(first.expiresAt).timeIntervalSinceNow - 3600) < 60)
        let token = try await session.accessToken(replacing: first.accessToken)
        let second = try #require(try await storage.load()?.tokens)
        #expect(token == second.accessToken && token != first.accessToken)
        #expect(second.refreshToken != first.refreshToken)
        #expect(try await session.accessToken() == token)
    }

    @Test func `a refresh token used a second time ends in a clear word to sign in again`() async throws {
        try await signIn()
        let old = try #require(try await storage.load())
        let first = try await session.accessToken(replacing: old.tokens?.accessToken)
        // An attacker has copied the file before the refresh.
        let copy = FileTokenStorage(file: URL(fileURLWithPath: folder.path + "/copy.json"))
        try await copy.save(old)
        let thief = SignInSession(try Self.options, storage: copy)
        await #expect(throws: SignInRequired(.ended)) {
            try await thief.accessToken(replacing: old.tokens?.accessToken)
        }
        #expect(try await copy.load()?.tokens == nil)
        // The provider then revokes both.
        await #expect(throws: SignInRequired(.ended)) { try await session.accessToken(replacing: first) }
        #expect(await session.status == .signInAgain(old.account))
        try await signIn()
        #expect(await session.status == .signedIn(old.account))
    }

    @Test func `processes that refresh at the same time use no refresh token twice`() async throws {
        try await signIn()
        let programs = try (0..<3).map { _ in try refresher(rounds: 5) }
        for program in programs {
            let status = try await onThread { program.wait(upTo: .seconds(300)) }
            let outcome = String(decoding: program.errorBytes, as: UTF8.self)
            #expect(status == 0, "\(outcome)")
            #expect(program.outputBytes.count(where: { $0 == 10 }) == 5)
        }
        let tokens = try #require(try await storage.load()?.tokens)
        #expect(try await session.accessToken(replacing: tokens.accessToken) != tokens.accessToken)
    }

    @Test func `after signing out the provider takes the refresh token no more`() async throws {
        try await signIn()
        let old = try #require(try await storage.load())
        #expect(try await session.signOut() == .done)
        #expect(try await storage.load() == nil)
        try await storage.save(old)
        await #expect(throws: SignInRequired(.ended)) {
            try await session.accessToken(replacing: old.tokens?.accessToken)
        }
    }

    @Test func `a wrong verifier is not taken, so a stolen code is worth nothing`() async throws {
        let redirect = "http://127.0.0.1:9/callback"
        let (mine, other) = (try await session.begin(redirect: redirect), try await session.begin(redirect: redirect))
        let callback = try await Browser.signIn(at: mine.url)
        await #expect { try await session.complete(other, callback: callback) } throws: {
            if case SignInFailure.wrongCallback = $0 { true } else { false }
        }
        let code = try mine.code(in: callback)
        let metadata = mine.metadata
        let provider = Provider(options: try Self.options)
        await #expect(throws: SignInFailure.refused(status: 400, error: "invalid_grant")) {
            try await provider.tokens(
                metadata,
                [
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                    ("code_verifier", other.verifier),
                ])
        }
    }
}
