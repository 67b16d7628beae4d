import AlmanacClientRuntime
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

/// Tests of signing in on another device (RFC 8628).
@Suite struct DeviceAuthorizationTests {
    private let clock = ManualClock(date: Date(timeIntervalSince1970: 1000))
    private let storage = MemoryStorage()

    private static let endpoint = #", "device_authorization_endpoint": "https://login.example.com/device""#
    private static let codes = """
        {"device_code": "secret-code", "user_code": "WDJB-MJHT", "verification_uri": "https://login.example.com/code",
         "verification_uri_complete": "https://login.example.com/code?user_code=WDJB-MJHT", "expires_in": 600,
         "interval": 7}
        """
    private static let claims =
        #"{"iss": "https://login.example.com", "sub": "alice", "aud": "notes-app", "exp": 4600}"#

    /// - Parameter answers: the token endpoint's responses in order. The last one repeats.
    private func session(
        codes: String = Self.codes, discovery: String = ScriptedProvider.discovery(Self.endpoint),
        _ answers: [Answer] = []
    ) -> (session: SignInSession, provider: ScriptedProvider) {
        let provider = ScriptedProvider(discovery: discovery) { request, count throws(TransportFailure) in
            if request.url.hasSuffix("/device") { return .json(codes) }
            switch answers[min(count, answers.count) - 1] {
            case .refusal(let error): return .json("{\"error\": \"\(error)\"}", status: 400)
            case .away: throw .unreachable("no route")
            case .tokens(let claims): return .tokens(1, idToken: idToken(claims))
            }
        }
        var options = SignInOptions(
            issuer: ScriptedProvider.issuer, clientID: "notes-app", transport: provider.transport)
        options.clock = clock
        return (SignInSession(options, storage: storage), provider)
    }

    private enum Answer: Sendable {
        case refusal(String)
        case away
        case tokens(claims: String = claims)
    }

    /// Waits for the user, and advances the clock whenever a task sleeps.
    ///
    /// - Returns: the duration of each sleep, and the account or the error.
    private func complete(
        _ session: SignInSession, _ request: DeviceAuthorization, within limit: Duration? = nil
    ) async -> (waits: [Duration], result: Result<UserAccount, any Error>) {
        let ended = Flag()
        let clock = clock
        let passing = Task {
            var waits: [Duration] = []
            while await !ended.isSet {
                if let wait = clock.sleepers.first {
                    waits.append(wait)
                    clock.advance(by: wait)
                }
                await Task.yield()
            }
            return waits
        }
        let result: Result<UserAccount, any Error>
        do { result = .success(try await session.complete(request, within: limit)) } catch { result = .failure(error) }
        await ended.set()
        return (await passing.value, result)
    }

    @Test func `the user types a short code elsewhere, and the provider is asked as often as it wants`() async throws {
        let (session, provider) = session([
            .refusal("authorization_pending"), .refusal("slow_down"),
            .away, .tokens(),
        ])
        let request = try await session.beginOnAnotherDevice()
        #expect(request.userCode == "WDJB-MJHT" && "\(request.page)" == "https://login.example.com/code")
        #expect(request.completePage?.query() == "user_code=WDJB-MJHT")
        #expect(request.expiresAt == Date(timeIntervalSince1970: 1600))
        let (waits, result) = await complete(session, request)
        #expect(waits == [7, 7, 12, 24].map { Duration.seconds($0) })
        let alice = UserAccount(issuer: ScriptedProvider.issuer, subject: "alice")
        #expect(try result.get() == alice)
        #expect(await session.status == .signedIn(alice))
        #expect(provider.requests[0].form == ["client_id": "notes-app", "scope": "openid offline_access"])
        #expect(
            provider.requests[1].form == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "secret-code",
                "client_id": "notes-app",
            ])
    }

    @Test(arguments: [
        ("access_denied", SignInFailure.denied("access_denied")), ("expired_token", .timedOut),
        ("invalid_grant", .refused(status: 400, error: "invalid_grant")),
    ])
    func `an answer that is the last one ends the waiting, and nothing is kept`(
        error: String, failure: SignInFailure
    ) async throws {
        let (session, provider) = session([.refusal(error)])
        let request = try await session.beginOnAnotherDevice()
        let (_, result) = await complete(session, request)
        #expect(throws: failure) { try result.get() }
        #expect(await storage.stored == nil && provider.requests.count == 2)
    }

    @Test func `the waiting ends with the code, or with the time that the caller has`() async throws {
        let (session, _) = session([.refusal("authorization_pending")])
        let request = try await session.beginOnAnotherDevice()
        let (waits, result) = await complete(session, request, within: .seconds(20))
        #expect(throws: SignInFailure.timedOut) { try result.get() }
        #expect(waits == [7, 7, 6].map { Duration.seconds($0) })
        let (more, late) = await complete(session, request)
        #expect(throws: SignInFailure.timedOut) { try late.get() }
        // 580 s remain.
        #expect(more.count == 83)
    }

    @Test func `a cancelled waiting ends at once`() async throws {
        let (session, _) = session([.refusal("authorization_pending")])
        let request = try await session.beginOnAnotherDevice()
        let task = Task { try await session.complete(request) }
        while clock.sleepers.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: SignInFailure.cancelled) { try await task.value }
    }

    @Test func `an ID token for somebody else's app is refused`() async throws {
        let (session, _) = session([.tokens(claims: Self.claims.replacing("notes-app", with: "other"))])
        let request = try await session.beginOnAnotherDevice()
        let (_, result) = await complete(session, request)
        #expect(throws: SignInFailure.self) { try result.get() }
        #expect(await storage.stored == nil)
    }

    @Test(arguments: [
        ("{", "["), (#""WDJB-MJHT""#, "7"), (#": "WDJB-MJHT""#, #": "\u001b[2J""#), (#": "WDJB-MJHT""#, #": """#),
        (#": "secret-code""#, #": """#), (#": "https://login.example.com/code""#, #": "http://login.example.com/""#),
        (#": "https://login.example.com/code?user_code=WDJB-MJHT""#, #": "javascript:alert(1)""#),
        ("600", "0"), ("600", "-1"), ("600", "1e300"), ("7\n", "0\n"), ("7\n", "-5\n"), ("7\n", "\"7\"\n"),
    ])
    func `codes that cannot be are refused`(part: String, other: String) async throws {
        let codes = Self.codes.replacing("\"interval\": 7", with: "\"interval\": 7\n")
        try #require(codes.contains(part))
        let (session, _) = session(codes: codes.replacing(part, with: other))
        await #expect { try await session.beginOnAnotherDevice() } throws: {
            if case SignInFailure.unexpectedResponse = $0 { true } else { false }
        }
    }

    @Test func `a provider without such a way is told at once`() async throws {
        let (session, provider) = session(discovery: ScriptedProvider.discovery())
        await #expect(throws: SignInFailure.self) { try await session.beginOnAnotherDevice() }
        #expect(provider.requests.isEmpty)
    }

    @Test func `printed, it shows no secret`() async throws {
        let request = try await session().session.beginOnAnotherDevice()
        var text = "\(request) \(String(reflecting: request))"
        dump(request, to: &text)
        #expect(!text.contains("secret-code"))
    }
}

private actor Flag {
    private(set) var isSet = false

    func set() { isSet = true }
}
