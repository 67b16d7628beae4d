import AlmanacClientRuntime
import Foundation

/// A copy of the config that is updated by cursors, as openapi.yaml tells clients to.
actor ConfigCopy {
    /// The source of changes: polling or the event stream.
    enum ChangeSource: String, CaseIterable, Sendable {
        case polling
        case streaming
    }

    private let service: Service
    private(set) var cursor: String?
    private(set) var entries: [String: String] = [:]
    private var lastEventID = ""
    private var task: Task<Void, Never>?
    let source: ChangeSource

    init(_ service: Service, _ source: ChangeSource) { (self.service, self.source) = (service, source) }

    /// Updates the copy to the newest revision, or to that of an event, which any cache may serve.
    func fetch(upTo end: String? = nil) async throws {
        var path = "config"
        if let cursor {
            path += "?since=\(cursor)"
            if let end {
                if Self.isReached(end, at: cursor) { return }
                path += "&revision=\(end)"
            }
        }
        let response = try await service.send("GET", path)
        guard response.status == 200, let changes = try response.json as? [[String: Any]],
            let now = response.headers["Almanac-Cursor"]
        else { throw UnexpectedResult("GET \(path): \(response.text)") }
        if cursor == nil || response.headers["Almanac-Full"] == "true" { entries = [:] }
        for change in changes {
            guard let key = change["key"] as? String else { continue }
            entries[key] = change["value"].map { "\($0)" }
        }
        cursor = now
    }

    func start() {
        task = Task {
            while !Task.isCancelled {
                do {
                    if source == .polling { try await fetch() } else { try await follow() }
                } catch {
                    // The service is unavailable for a moment.
                }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func stop() async {
        task?.cancel()
        await task?.value
        task = nil
    }

    private func follow() async throws {
        // Resume from the copy, even before the first stream.
        if lastEventID.isEmpty, let cursor { lastEventID = "config=\(cursor)" }
        var request = TransportRequest("GET", "\(service.environment)/events")
        request.idleTimeout = .seconds(30)
        var reader = try await EventStreamReader.open(
            request, over: AlmanacHTTPTransport(), resumingAfter: lastEventID, idleTimeout: .seconds(30),
            clock: SystemClientClock())
        while let event = try await reader.next() {
            let data = try JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any]
            switch data?["type"] as? String {
            case "hello", "ping":
                // The event contains the stream's position, which covers all missed events.
                if let now = data?["config"] as? String { try await fetch(upTo: now) }
            case "resync":
                cursor = nil
                try await fetch()
            case "refetchEvaluation":
                try await fetch(upTo: Self.cursor(in: event.lastEventID))
            default: break
            }
            lastEventID = event.lastEventID
        }
    }

    /// Returns true if the copy already contains an event's release.
    private static func isReached(_ end: String, at cursor: String) -> Bool {
        let (end, mine) = (end.split(separator: "."), cursor.split(separator: "."))
        return end.last == mine.last && Int(end[0]) ?? 0 <= Int(mine[0]) ?? 0
    }

    /// Returns the config's part of `config=43.k3f9,notes=…`.
    private static func cursor(in id: String) -> String? {
        id.split(separator: ",").first { $0.hasPrefix("config=") }.map { String($0.dropFirst("config=".count)) }
    }
}
