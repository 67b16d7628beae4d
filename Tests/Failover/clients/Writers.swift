import AlmanacClientRuntime
import Foundation

/// Writers that retry each number until it is acknowledged, with a record of the acknowledged writes.
actor Writers {
    private let service: Service
    private let round: String
    private(set) var config: [String: [Int]] = [:]
    private(set) var notes: Set<String> = []
    /// The latest start times of acknowledged writes.
    private(set) var begun: (config: ContinuousClock.Instant?, notes: ContinuousClock.Instant?)
    private(set) var refusals: [String: Int] = [:]
    private var tasks: [Task<Void, Never>] = []

    init(_ service: Service, round: String) { (self.service, self.round) = (service, round) }

    var counts: (config: Int, notes: Int) { (config.values.reduce(0) { $0 + $1.count }, notes.count) }

    func start() {
        for writer in 0..<3 {
            tasks.append(Task { await writeConfig("w\(writer)") })
            tasks.append(Task { await writeNotes("\(round)-\(writer)") })
        }
    }

    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func writeConfig(_ key: String) async {
        // All rounds share an environment, so begin with a number that no earlier round has used.
        let base = Int(Date.now.timeIntervalSince1970) * 10_000
        for number in base... {
            let start = ContinuousClock.now
            guard await repeating({ try await service.send("PUT", "config/\(key)", #"{"value": \#(number)}"#) }) else {
                return
            }
            config[key, default: []].append(number)
            begun.config = max(begun.config ?? start, start)
        }
    }

    private func writeNotes(_ name: String) async {
        for number in 0... {
            let id = "\(name)-\(number)"
            let action = #"[["createNote", {"action_id": "\#(id)", "id": "\#(id)", "body": "milk and bread"}]]"#
            let start = ContinuousClock.now
            guard await repeating({ try await service.send("POST", "notes", user: true, action) }) else { return }
            notes.insert(id)
            begun.notes = max(begun.notes ?? start, start)
        }
    }

    /// - Returns: `true` if the write was acknowledged before the writers were stopped.
    private func repeating(_ write: @Sendable () async throws -> TransportResponse<[UInt8]>) async -> Bool {
        while !Task.isCancelled {
            do {
                let response = try await write()
                if (200...201).contains(response.status) {
                    try? await Task.sleep(for: .milliseconds(20))
                    return true
                }
                refusals["\(response.status)", default: 0] += 1
            } catch {
                refusals["none", default: 0] += 1
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    /// Looks for every acknowledged write on the server.
    ///
    /// - Returns: the numbers of missing writes.
    func lost() async throws -> (config: Int, notes: Int) {
        var missing = 0
        for (key, numbers) in config { missing += Set(numbers).subtracting(try await service.history(of: key)).count }
        return (missing, notes.subtracting(try await service.notes().texts.keys).count)
    }
}
