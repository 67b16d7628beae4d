#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Listens to a server for as long as it runs, and says when it is worth asking for changes.
actor LiveFeed {
    private let server: NotesServer
    private let surroundings: Surroundings
    private let wake: @Sendable () -> Void
    private var backoff = Backoff()
    private var lastID: String?
    /// How many more times to ask by long poll before a stream is tried again.
    private var polls = 0
    /// Counts pieces that came, for who watches over the stream.
    private var pieces = 0
    private var pingSeconds = 20

    private static let pollSeconds = 25
    private static let pollsAfterMute = 60

    init(_ server: NotesServer, _ surroundings: Surroundings, wake: @escaping @Sendable () -> Void) {
        self.server = server
        self.surroundings = surroundings
        self.wake = wake
    }

    /// Runs until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            var asked: Int?
            do {
                if polls > 0 { try await poll() } else { try await listen() }
            } catch SyncFailure.askedToWait(let seconds) {
                asked = seconds
            } catch {
                // Any other reason: the next attempt tells.
            }
            try? await surroundings.sleep(backoff.wait(surroundings.chance(), asked: asked))
        }
    }

    private func request(_ token: String, wait: Int? = nil) -> NotesRequest {
        var request = NotesRequest("GET", "events", headers: [("Accept", "text/event-stream")])
        if let wait {
            request.query = [("wait", "\(wait)")]
            request.timeout = .seconds(wait + 30)
        }
        if !token.isEmpty { request.headers.append(("Authorization", "Bearer \(token)")) }
        if let lastID { request.headers.append(("Last-Event-ID", lastID)) }
        return request
    }

    /// Asks once, and waits for the answer for as long as nothing happens.
    private func poll() async throws {
        polls -= 1
        let answer = try await server.send(request("", wait: Self.pollSeconds))
        guard answer.status == 200 else { throw answer.failure }
        var parser = EventParser()
        let events = try parser.take(answer.body).compactMap(LiveEvent.init)
        lastID = parser.lastID ?? lastID
        if events.contains(where: \.isNews) { wake() }
        backoff.succeed()
    }

    private func listen() async throws {
        var token = try await server.accessToken(refused: nil)
        var stream = try await server.transport.open(request(token))
        if stream.status == 401 {
            token = try await server.accessToken(refused: token)
            stream = try await server.transport.open(request(token))
        }
        while true {
            guard stream.status == 200 else { throw SyncFailure.refused(status: stream.status, "") }
            guard let fresh = try await follow(stream, token) else { return }
            (stream, token) = fresh
        }
    }

    /// Reads a stream to its end.
    ///
    /// - Returns: the stream that takes its place, opened because the token ends; nil when the server has ended it.
    private func follow(_ stream: NotesStream, _ token: String) async throws -> (NotesStream, String)? {
        try await withThrowingTaskGroup(of: (NotesStream, String)?.self) { group in
            group.addTask { try await self.read(stream, token) }
            group.addTask { try await self.watch() }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func read(_ stream: NotesStream, _ token: String) async throws -> (NotesStream, String)? {
        var parser = EventParser()
        var hasTriedToRenew = false
        for try await bytes in stream.bytes {
            pieces += 1
            let events = try parser.take(bytes).compactMap(LiveEvent.init)
            lastID = parser.lastID ?? lastID
            for event in events {
                backoff.succeed()
                if let seconds = event.pingSeconds { pingSeconds = min(max(seconds, 1), 300) }
                if event.isNews { wake() }
                if event.type == "bye" {
                    let spread = Double(min(max(event.spreadMs ?? 0, 0), 60_000)) * surroundings.chance()
                    try await surroundings.sleep(.milliseconds(Int(spread)))
                    return nil
                }
                if event.wantsSuccessor, !hasTriedToRenew {
                    hasTriedToRenew = true
                    if let successor = await successor(of: token) { return successor }
                }
            }
        }
        return nil
    }

    /// Opens the next stream while this one is still open, so that there is always one.
    private func successor(of token: String) async -> (NotesStream, String)? {
        guard let fresh = try? await server.accessToken(refused: token), !fresh.isIdentical(to: token),
            let stream = try? await server.transport.open(request(fresh)), stream.status == 200
        else { return nil }
        return (stream, fresh)
    }

    /// Ends with an error when nothing has come for longer than two pings.
    private func watch() async throws -> (NotesStream, String)? {
        while true {
            let before = pieces
            try await surroundings.sleep(.seconds(pingSeconds * 5 / 2))
            guard pieces == before else { continue }
            // Something on the way keeps the stream back.
            polls = Self.pollsAfterMute
            throw SyncFailure.unreachable("the stream is mute")
        }
    }
}
