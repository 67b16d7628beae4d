import AuthenticationServices
import Foundation
import Synchronization
import Testing

@testable import AlmanacSignIn

/// Tests of the system's browser sheet. Like Apple's, the sheet calls its completion handler on a background queue,
/// which ends the process if the handler is isolated to the main actor.
@Suite(.timeLimit(.minutes(1))) @MainActor struct BrowserSheetTests {
    private final class Window: ASWebAuthenticationPresentationContextProviding {
        let anchor: ASPresentationAnchor

        init(_ user: ((ASWebAuthenticationSession) -> Void)?) { anchor = ASPresentationAnchor(user: user) }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
    }

    /// Returns a session whose provider puts the nonce of the opened page into the ID token.
    private func session(_ storage: MemoryStorage, _ page: Page) -> SignInSession {
        ScriptedProvider { _, _ in
            let nonce = page.fields.withLock { $0["nonce"] ?? "" }
            return .tokens(
                1,
                idToken: idToken(
                    #"{"iss": "https://login.example.com", "sub": "alice", "aud": "notes-app", "exp": 4600, "#
                        + #""nonce": "\#(nonce)"}"#))
        }.session(storage)
    }

    private static func fields(_ url: URL) -> [String: String] {
        Form.decode(URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "") ?? [:]
    }

    @Test func `a user who signs in in the sheet is signed in`() async throws {
        let (storage, page) = (MemoryStorage(), Page())
        let window = Window { sheet in
            let fields = Self.fields(sheet.url)
            page.fields.withLock { $0 = fields }
            #expect(sheet.callbackURLScheme == "com.example.notes")
            sheet.end(URL(string: "com.example.notes:/callback?state=\(fields["state"] ?? "")&code=secret"))
        }
        let session = session(storage, page)
        let account = try await session.signIn(scheme: "com.example.notes", from: window)
        #expect(account == UserAccount(issuer: ScriptedProvider.issuer, subject: "alice"))
        #expect(await storage.stored?.tokens?.refreshToken == "refresh-1")
        #expect(window.anchor.cancelled == 0)
    }

    @Test func `a user who closes the sheet has cancelled`() async {
        let window = Window { $0.end(nil, ASWebAuthenticationSessionError(.canceledLogin)) }
        await #expect(throws: SignInFailure.cancelled) { try await signIn(window) }
    }

    @Test func `a sheet that fails is a browser that can't be reached`() async {
        let window = Window { $0.end(nil, ASWebAuthenticationSessionError(.presentationContextInvalid)) }
        await #expect(throws: SignInFailure.unreachable("the browser did not open")) { try await signIn(window) }
    }

    @Test func `a sheet that does not start keeps nobody waiting`() async {
        await #expect(throws: SignInFailure.unreachable("the browser did not open")) { try await signIn(Window(nil)) }
    }

    @Test func `a sign-in that is cancelled closes its sheet`() async {
        let (opened, open) = AsyncStream<Void>.makeStream()
        let window = Window { _ in open.yield() }
        let signingIn = Task { try await signIn(window) }
        for await _ in opened { break }
        signingIn.cancel()
        await #expect(throws: SignInFailure.cancelled) { try await signingIn.value }
        #expect(window.anchor.cancelled == 1)
    }

    @discardableResult
    private func signIn(_ window: Window) async throws -> UserAccount {
        try await session(MemoryStorage(), Page()).signIn(scheme: "com.example.notes", from: window)
    }
}

/// The fields of the URL that opened the sign-in page.
private final class Page: Sendable { let fields = Mutex<[String: String]>([:]) }
