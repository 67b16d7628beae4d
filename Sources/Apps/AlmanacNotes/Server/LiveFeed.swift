internal import AlmanacClientRuntime

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A follower of a server's event stream that reports possible changes.
struct LiveFeed {
    private let server: NotesServer
    private let random: any RandomSource
    private let wake: @Sendable () -> Void
    private var backoff = NotesServer.backoff
    private var lastEventID = ""
    /// The number of long polls before the next attempt to open a stream.
    private var remainingPolls = 0
    private var pingInterval = Duration.seconds(20)

    private static let pollSeconds = 25
    private static let pollsAfterSilence = 60

    init(_ server: NotesServer, random: any RandomSource, wake: @escaping @Sendable () -> Void) {
        self.server = server
        self.random = random
        self.wake = wake
    }

    /// Runs until its task is cancelled.
    mutating func run() async {
        while !Task.isCancelled {
            var retryAfter: Duration?
            do {
                if remainingPolls > 0 { try await poll() } else { try await followStream() }
            } catch EventStreamFailure.silent {
                // A proxy may buffer the stream, so use long polls.
                if remainingPolls == 0 { remainingPolls = Self.pollsAfterSilence }
            } catch EventStreamFailure.refused(_, let duration) {
                retryAfter = duration
            } catch {
                // Any other failure is retried after the backoff.
            }
            try? await server.clock.sleep(for: backoff.next(retryAfter: retryAfter, random: random))
        }
    }

    /// Sends a long poll, which the server answers after the next event or at its time limit.
    private mutating func poll() async throws {
        remainingPolls -= 1
        var (stream, _) = try await open(waiting: Self.pollSeconds)
        while let event = try await stream.next() {
            lastEventID = event.lastEventID
            if LiveEvent(event.data)?.meansChange == true { wake() }
        }
        backoff.reset()
    }

    private mutating func followStream() async throws {
        var current: (stream: EventStreamReader, token: String)? = try await open()
        while let (stream, token) = current { current = try await read(stream, token) }
    }

    /// Reads a stream to its end.
    ///
    /// - Returns: the next stream, opened because the token expires; nil if the server has closed the stream.
    private mutating func read(
        _ opened: EventStreamReader, _ token: String
    ) async throws -> (stream: EventStreamReader, token: String)? {
        var stream = opened
        var hasTriedToRenew = false
        while let received = try await stream.next() {
            lastEventID = received.lastEventID
            guard let event = LiveEvent(received.data) else { continue }
            backoff.reset()
            if let seconds = event.pingSeconds {
                pingInterval = .seconds(min(max(seconds, 1), 300))
                stream.idleTimeout = idleTimeout
            }
            if event.meansChange { wake() }
            if event.type == "bye" {
                let spread = Duration.milliseconds(min(max(event.spreadMs ?? 0, 0), 60_000))
                try await server.clock.sleep(for: spread * random.fraction)
                return nil
            }
            if event.wantsSuccessor, !hasTriedToRenew {
                hasTriedToRenew = true
                if let successor = await successor(of: token) { return successor }
            }
        }
        return nil
    }

    /// Opens the next stream while the current one is still open, so that no event is missed.
    private func successor(of token: String) async -> (stream: EventStreamReader, token: String)? {
        guard let fresh = try? await server.accessToken(replacing: token), !fresh.isIdentical(to: token),
            let stream = try? await open(with: fresh)
        else { return nil }
        return (stream, fresh)
    }

    /// Opens a stream, and retries once with another token if the server responds 401.
    ///
    /// - Parameter seconds: the time limit of a long poll, which ends with the first events; nil for a stream.
    private func open(waiting seconds: Int? = nil) async throws -> (stream: EventStreamReader, token: String) {
        let token = try await server.accessToken(replacing: nil)
        do {
            return (try await open(with: token, waiting: seconds), token)
        } catch EventStreamFailure.refused(status: 401, _) {
            let fresh = try await server.accessToken(replacing: token)
            return (try await open(with: fresh, waiting: seconds), fresh)
        }
    }

    private func open(with token: String, waiting seconds: Int? = nil) async throws -> EventStreamReader {
        var request = try server.request("GET", "events", query: seconds.map { [("wait", "\($0)")] } ?? [])
            .authorized(token)
        // The reader enforces a shorter limit.
        request.idleTimeout = .seconds(3600)
        return try await EventStreamReader.open(
            request, over: server.transport, resumingAfter: lastEventID,
            idleTimeout: seconds.map { .seconds($0 + 30) } ?? idleTimeout, clock: server.clock)
    }

    private var idleTimeout: Duration { pingInterval * 5 / 2 }
}

/// An event of the stream with the members that matter for notes.
private struct LiveEvent: Decodable {
    let type: String
    var pingSeconds: Int?
    var tokenExpiresIn: Int?
    var spreadMs: Int?

    init?(_ data: [UInt8]) {
        guard let event = try? JSONDecoder().decode(LiveEvent.self, from: Data(data)) else { return nil }
        self = event
    }

    var meansChange: Bool {
        [
            "hello", "noteCreated", "noteUpdated", "noteDeleted", "notesReordered", "attachmentStored",
            "attachmentRemoved", "resync",
        ].contains(type)
    }

    /// True if the token expires within 60 s, so that the next stream has to be opened.
    var wantsSuccessor: Bool { tokenExpiresIn.map { $0 <= 60 } ?? false }
}
