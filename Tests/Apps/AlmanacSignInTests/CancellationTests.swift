import AlmanacClientRuntime
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

/// Tests that cancel calls while a provider is silent. Without the cancellation, the calls would last an hour.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    private func session(_ server: StallingServer, _ storage: any TokenStorage = MemoryStorage(nil)) -> SignInSession {
        // An issuer may use plain HTTP only on this machine.
        let options = SignInOptions(issuer: server.base, clientID: "notes-app", transport: UnlimitedTransport())
        return SignInSession(options, storage: storage)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled sign-in, sign-out or refresh returns while the provider is silent`(
        point: StallingServer.Point
    ) async throws {
        let server = try StallingServer(point)
        let begin = Task {
            await #expect(throws: SignInFailure.cancelled) {
                try await session(server).begin(redirect: "http://127.0.0.1:1/callback")
            }
        }
        #expect(try await server.stalls(1))
        _ = await timeToEnd(begin)

        let stored = StoredSignIn(
            account: UserAccount(issuer: server.base, subject: "alice"), clientID: "notes-app",
            tokens: StoredSignIn.alice(expiresAt: 500).tokens)
        let refreshing = session(server, MemoryStorage(stored))
        let token = Task { await #expect(throws: SignInFailure.cancelled) { try await refreshing.accessToken() } }
        #expect(try await server.stalls(point == .connecting ? 1 : 2))
        _ = await timeToEnd(token)

        let storage = MemoryStorage(stored)
        let leaving = session(server, storage)
        let signOut = Task { await #expect(throws: Never.self) { try await leaving.signOut() } }
        #expect(try await server.stalls(point == .connecting ? 2 : 3))
        _ = await timeToEnd(signOut)
        #expect(await storage.stored == nil)
    }

    @Test func `waiting for the browser ends when it is cancelled`() async throws {
        let loopback = try LoopbackRedirect()
        let waiting = Task {
            await #expect(throws: SignInFailure.cancelled) {
                try await loopback.callback(within: .seconds(300)) { _ in true }
            }
        }
        _ = await timeToEnd(waiting)
    }
}
