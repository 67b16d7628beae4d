internal import AlmanacClientRuntime

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A client of one environment's notes API for one user.
struct NotesServer: Sendable {
    let environment: URL
    /// The owner of the notes, whose tokens alone are sent.
    let account: UserAccount
    let tokens: any TokenProvider
    let transport: any ClientTransport
    let clock: any ClientClock

    static let backoff = Backoff(minDelay: .milliseconds(500), maxDelay: .seconds(300))

    /// The upper bound of a response's size, in bytes, unless a request has its own.
    private static let byteLimit = 32 << 20

    /// Creates a request to the environment without authorization.
    ///
    /// - Parameter path: the path relative to the environment, without a leading slash: `notes`.
    func request(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [], json: [UInt8]? = nil
    ) throws(NotesSyncFailure) -> TransportRequest {
        let address = environment.appendingPathComponent(path)
        guard var components = URLComponents(url: address, resolvingAgainstBaseURL: false) else {
            throw .unreachable("\(address) is not a valid address")
        }
        if !query.isEmpty { components.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) } }
        guard let url = components.url else { throw .unreachable("\(address) is not a valid address") }
        let headers = json == nil ? [] : [(name: "Content-Type", value: "application/json")]
        return TransportRequest(method, url.absoluteString, headers: headers, body: json)
    }

    /// Sends an authorized request, and retries once with another token if the server responds 401.
    func send(_ request: TransportRequest) async throws(NotesSyncFailure) -> TransportResponse<[UInt8]> {
        let token = try await accessToken(replacing: nil)
        let response = try await send(request, token)
        guard response.status == 401 else { return response }
        let fresh = try await accessToken(replacing: token)
        guard !fresh.isIdentical(to: token) else { throw .signInRequired }
        let second = try await send(request, fresh)
        guard second.status != 401 else { throw .signInRequired }
        return second
    }

    /// Returns a token of the account. An opaque token, which names no user, is left to the server.
    func accessToken(replacing refused: String?) async throws(NotesSyncFailure) -> String {
        let token: String
        do {
            token = try await tokens.accessToken(replacing: refused)
        } catch is SignInRequired {
            throw .signInRequired
        } catch {
            throw .unreachable("no access token: \(error)")
        }
        if let user = UserAccount(accessToken: token), !user.isIdentical(to: account) {
            throw .otherAccount(of: user)
        }
        return token
    }

    private func send(
        _ request: TransportRequest, _ token: String
    ) async throws(NotesSyncFailure) -> TransportResponse<[UInt8]> {
        var request = request.authorized(token)
        request.byteLimit = request.byteLimit ?? Self.byteLimit
        request.idleTimeout = .seconds(30)
        do {
            return try await transport.send(request)
        } catch {
            throw .unreachable("\(error)")
        }
    }

    func failure(of response: TransportResponse<[UInt8]>) -> NotesSyncFailure {
        let status = response.status
        if [429, 503, 507].contains(status), let wait = response.retryAfter(now: clock.date), wait > .zero {
            return .retryLater(after: wait)
        }
        if status == 401 { return .signInRequired }
        if (200..<300).contains(status) { return .unexpectedResponse("the status \(status)") }
        return .refused(status: status, problem: ServerProblem(response.body)?.shortType ?? "")
    }
}

extension TransportRequest {
    func authorized(_ token: String) -> TransportRequest {
        var request = self
        request.headers.append((name: "Authorization", value: "Bearer \(token)"))
        return request
    }
}
