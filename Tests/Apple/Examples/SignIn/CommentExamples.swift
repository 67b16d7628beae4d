import AlmanacSignIn
import AuthenticationServices
import Foundation

/// The examples in doc comments, and examples that need Apple's modules. A test in Tests/Architecture compares them.
@MainActor enum CommentExamples {
    static func page(
        options: SignInOptions, file: URL, url: URL, open: (URL) -> Void
    ) async throws -> String {
        let session = SignInSession(options, storage: FileTokenStorage(file: file))
        let request = try await session.begin(redirect: "com.example.notes:/callback")
        open(request.url)  // and later, with what came back:
        try await session.complete(request, callback: url)
        let token = try await session.accessToken()  // refreshed when it has to be
        return token
    }

    static func loopback(session: SignInSession) async throws {
        let loopback = try LoopbackRedirect()
        let request = try await session.begin(redirect: loopback.address)
        print("Open \(request.url)")
        let callback = try await loopback.callback(within: .seconds(300)) { request.isAnswered(by: $0) }
        try await session.complete(request, callback: callback)
    }

    static func sheet(window: any ASWebAuthenticationPresentationContextProviding) async throws -> UserAccount {
        let options = SignInOptions(issuer: "https://login.example.com", clientID: "notes-app")
        let session = SignInSession(options, storage: KeychainTokenStorage(service: "com.example.notes"))
        let account = try await session.signIn(scheme: "com.example.notes", from: window)
        return account
    }
}
