/// The server that a store follows, and who its user is there.
public struct NotesServer: Sendable {
    let transport: any NotesTransport
    let token: @Sendable (_ refused: String?) async throws -> String

    /// - Parameters:
    ///   - transport: the way to one environment of the server.
    ///   - token: gives the user's access token. It is given the last one when the server has refused that, so that a new
    ///     one can be fetched; when it gives the same again, or throws ``SyncFailure/signInNeeded``, the store says that a
    ///     sign-in is needed. Whatever else it throws counts as a network that is away, and is tried again later.
    public init(
        _ transport: any NotesTransport, token: @escaping @Sendable (_ refused: String?) async throws -> String
    ) {
        self.transport = transport
        self.token = token
    }

    /// Sends a request as the user, with a fresh token if the first is refused.
    func send(_ request: NotesRequest) async throws(SyncFailure) -> NotesAnswer {
        let token = try await accessToken(refused: nil)
        let answer = try await send(request, token)
        guard answer.status == 401 else { return answer }
        let fresh = try await accessToken(refused: token)
        guard !fresh.isIdentical(to: token) else { throw .signInNeeded }
        let second = try await send(request, fresh)
        guard second.status != 401 else { throw .signInNeeded }
        return second
    }

    func accessToken(refused: String?) async throws(SyncFailure) -> String {
        do {
            return try await token(refused)
        } catch let failure as SyncFailure {
            throw failure
        } catch {
            throw .unreachable("no access token: \(error)")
        }
    }

    private func send(_ request: NotesRequest, _ token: String) async throws(SyncFailure) -> NotesAnswer {
        var request = request
        request.headers.append(("Authorization", "Bearer \(token)"))
        do {
            return try await transport.send(request)
        } catch {
            throw .unreachable("\(error)")
        }
    }
}

extension NotesAnswer {
    /// Why an answer other than the one wanted is none.
    var failure: SyncFailure {
        let problem = ServerProblem(self)?.shortType ?? ""
        if status == 429 || status == 503, let seconds = header("Retry-After").flatMap({ Int($0) }), seconds > 0 {
            return .askedToWait(seconds: min(seconds, 3600))
        }
        if status == 401 { return .signInNeeded }
        return (200..<300).contains(status) ? .garbled("the status \(status)") : .refused(status: status, problem)
    }
}
