import AlmanacSignIn
import Foundation

/// The examples of the documentation, compiled. A test in Tests/Architecture compares both.
enum Examples {
    static func signIn(file: URL) async throws -> String {
        let options = SignInOptions(issuer: "https://login.example.com", clientID: "notes-app")
        let session = SignInSession(options, storage: FileTokenStorage(file: file))

        let loopback = try LoopbackRedirect()  // a program in a terminal
        let request = try await session.begin(redirect: loopback.address)
        print("Open \(request.url)")
        let callback = try await loopback.callback(within: .seconds(300)) { request.isAnswered(by: $0) }
        try await session.complete(request, callback: callback)

        let token = try await session.accessToken()  // refreshed when it has to be
        return token
    }

    static func signInOnAnotherDevice(_ session: SignInSession) async throws {
        let request = try await session.beginOnAnotherDevice()
        print("Open \(request.page) on your phone, and type \(request.userCode)")
        try await session.complete(request)
    }
}
