internal import Foundation

/// One open stream of events, given up when it is mute for too long.
struct LiveStream: Sendable {
    let options: ConfigOptions
    /// The place in the history that the client has seen.
    let lastEventID: String?

    /// - Parameter receive: is called with one event after the other, and ends the stream by returning false.
    func follow(_ receive: @escaping @Sendable (LiveEvent) async -> Bool) async throws {
        let heard = Shared(ContinuousClock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let response = try await open()
                var parser = EventStreamParser()
                for try await part in response.body {
                    heard.value = .now
                    for event in try parser.feed(part) {
                        // A fetch may be put off for longer than a stream may be mute.
                        heard.value = .now + LiveEvent.longestSpread + options.timeout
                        guard await receive(LiveEvent(event)) else { return }
                        heard.value = .now
                    }
                }
                throw ConfigFailure.unreachable("the stream ended")
            }
            group.addTask {
                while true {
                    let rest = heard.value + options.streamSilence - .now
                    if rest <= .zero { throw ConfigFailure.timedOut }
                    try await Task.sleep(for: min(rest, options.streamSilence), clock: .continuous)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func open() async throws -> TransportResponse {
        var headers = try await options.headers(accept: "text/event-stream")
        if let lastEventID { headers["Last-Event-ID"] = lastEventID }
        let url = options.environment.appending(path: "events")
        let response = try await options.transport.send(TransportRequest(url: url, headers: headers))
        guard response.status == 200 else {
            let time = response.header("Retry-After").flatMap { RetryAfter.duration($0, now: options.clock.date) }
            throw ConfigFailure.refused(status: response.status, problem: nil, retryAfter: time)
        }
        guard response.header("Content-Type")?.hasPrefix("text/event-stream") == true else {
            throw ConfigFailure.unexpectedAnswer("expected a stream of events")
        }
        return response
    }
}
