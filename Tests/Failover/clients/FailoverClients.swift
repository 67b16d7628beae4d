import AlmanacConfig
import AlmanacNotes
import Foundation

/// Clients of every kind during a failover. Some stay connected. The others are idle from before the primary's death
/// until the new history has passed their cursors.
final class FailoverClients {
    private let service: Service
    private let writers: Writers
    private var connected: [ConfigCopy] = []
    private var idle: [ConfigCopy] = []
    private var apps: [(name: String, client: ConfigClient)] = []
    private var devices: [(name: String, store: NotesStore)] = []
    private var tasks: [Task<Void, Never>] = []
    private var idleCursors: (config: String, notes: String) = ("", "")

    init(_ service: Service, folder: String) throws {
        self.service = service
        let round = "r\(UInt32.random(in: 0 ... .max))"
        writers = Writers(service, round: round)
        for source in ConfigCopy.ChangeSource.allCases {
            connected.append(ConfigCopy(service, source))
            idle.append(ConfigCopy(service, source))
        }
        let environment = URL(string: service.environment)!
        for name in ["app connected", "app idle"] {
            var options = ConfigOptions(
                environment: environment, defaults: [:], cache: URL(filePath: "\(folder)/\(round)-\(name)"))
            options.minimumInterval = .zero
            apps.append((name, ConfigClient(options)))
        }
        for name in ["device connected", "device idle"] {
            var options = NotesOptions()
            options.isDurable = false
            devices.append(
                (
                    name,
                    try NotesStore(
                        file: URL(filePath: "\(folder)/\(round)-\(name).db"), environment: environment,
                        account: UserAccount(accessToken: service.tokens.user)!,
                        tokens: FixedToken(service.tokens.user), options: options)
                ))
        }
    }

    /// Starts the writers and clients, and returns when each client has data.
    func begin() async throws {
        await writers.start()
        for copy in connected { await copy.start() }
        let (app, device) = (apps[0].client, devices[0].store)
        tasks.append(Task { await app.follow() })
        tasks.append(Task { await device.follow() })
        tasks.append(
            Task {
                // A user types on a device throughout the failover.
                for number in 0... where !Task.isCancelled {
                    _ = try? await device.create(title: "typed", body: "line \(number)")
                    try? await Task.sleep(for: .milliseconds(500))
                }
            })
        try await awaitAcknowledged(20)
        try await updateIdleClients()
    }

    /// Waits for further acknowledged writes, and updates the idle clients for the last time.
    func suspendIdleClients() async throws -> String {
        try await awaitAcknowledged(10)
        try await updateIdleClients()
        idleCursors = (
            await idle[0].cursor ?? "", try await service.read("notes?limit=1", user: true)["cursor"] as? String ?? ""
        )
        return "config \(idleCursors.config) notes \(idleCursors.notes)"
    }

    /// - Returns: the seconds until a write of each kind, begun after this call, is accepted.
    func awaitWrites() async throws -> Double {
        let now = ContinuousClock.now
        try await until(.seconds(60), "writers come back") {
            let begun = await writers.begun
            return (begun.config ?? now) > now && (begun.notes ?? now) > now
        }
        return (ContinuousClock.now - now) / .seconds(1)
    }

    /// Waits until both histories have passed the idle clients' cursors.
    func awaitNewHistory() async throws {
        let (service, idleCursors) = (service, idleCursors)
        func number(_ cursor: String?) -> Int { Int(cursor?.prefix { $0 != "." } ?? "") ?? 0 }
        try await until(.seconds(60), "the histories go on") {
            guard let config = try? await service.send("GET", "config").revision,
                let notes = try? await service.read("notes?limit=1", user: true)["cursor"] as? String
            else { return false }
            return config > number(idleCursors.config) + 3 && number(notes) > number(idleCursors.notes) + 3
        }
    }

    /// Stops the writers, wakes the idle clients, and waits until each client has the server's state.
    ///
    /// - Returns: the counts, and the clients with a wrong state.
    func end() async throws -> (line: String, wrong: [String]) {
        await writers.stop()
        let counts = await writers.counts
        var lost = (config: 0, notes: 0)
        try await until(.seconds(60), "the history is read") {
            guard let found = try? await writers.lost() else { return false }
            lost = found
            return true
        }
        let isRenewed =
            (try await service.send("GET", "config").headers["Almanac-Cursor"] ?? "").drop { $0 != "." }
            != idleCursors.config.drop { $0 != "." }
        for copy in idle { await copy.start() }
        for task in tasks.dropFirst(2) { task.cancel() }
        var wrong: [String] = ["no client was checked"]
        let deadline = ContinuousClock.now + .seconds(60)
        while !wrong.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(300))
            wrong = (try? await findWrong()) ?? ["the service does not answer"]
        }
        for copy in connected + idle { await copy.stop() }
        for task in tasks { task.cancel() }
        let clients = connected.count + idle.count + apps.count + devices.count
        let line =
            "acknowledged \(counts.config) config \(counts.notes) notes, "
            + "lost \(lost.config) config \(lost.notes) notes, "
            + "lineage \(isRenewed ? "renewed" : "kept"), wrong \(wrong.count) of \(clients)"
        return (line, wrong)
    }

    private func findWrong() async throws -> [String] {
        var wrong: [String] = []
        let expected = ConfigCopy(service, .polling)
        try await expected.fetch()
        let (entries, cursor) = (await expected.entries, await expected.cursor)
        for (name, copies) in [("connected", connected), ("idle", idle)] {
            for copy in copies {
                let (mine, position) = (await copy.entries, await copy.cursor)
                if mine == entries, position == cursor { continue }
                wrong.append("copy \(copy.source) \(name): at \(position ?? "-") instead of \(cursor ?? "-")")
            }
        }
        for (name, client) in apps {
            _ = try? await client.fetchAndActivate()
            let values = client.values
            let theirs = Dictionary(uniqueKeysWithValues: values.keys.map { ($0, "\(values.int($0, default: -1))") })
            if theirs != entries { wrong.append("\(name): \(theirs) instead of \(entries)") }
        }
        for (_, store) in devices {
            do throws(NotesSyncFailure) {
                try await store.sync()
            } catch {
                if case .decisionNeeded = error { try await store.decide(.keep) }
            }
        }
        let texts = try await service.notes().texts
        for (name, store) in devices {
            var mine: [String: String] = [:]
            for note in try await store.notes() { mine[note.id] = "\(note.title)\n\(note.body)" }
            if mine != texts { wrong.append("\(name): \(mine.count) notes instead of \(texts.count), or other texts") }
        }
        return wrong
    }

    private func updateIdleClients() async throws {
        for copy in idle { try await copy.fetch() }
        _ = try await apps[1].client.fetchAndActivate()
        try await devices[1].store.sync()
    }

    private func awaitAcknowledged(_ count: Int) async throws {
        let before = await writers.counts
        try await until(.seconds(60), "\(count) writes are acknowledged") {
            let now = await writers.counts
            return now.config >= before.config + count && now.notes >= before.notes + count
        }
    }

    private func until(_ limit: Duration, _ what: String, _ condition: () async -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while await !condition() {
            guard ContinuousClock.now < deadline else {
                throw UnexpectedResult("not within \(limit): \(what); refused \(await writers.refusals)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
