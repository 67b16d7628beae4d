internal import AlmanacJSON
// All tests get their random numbers from that module, as do the load programs, which link nothing else from here.
@_exported public import AlmanacTestRandomness

/// A simulation of one user's devices and a server, with a network that loses, duplicates, delays and reorders
/// requests.
public struct Simulation<Server: SimulatedServer> {
    private let server: Server
    private var random: Randomness
    private var log = WordLog()
    private var clients: [SimulatedClient]
    /// The number of steps for which each client still has no network.
    private var offline: [Int]
    /// The requests still in flight, whose responses no client waits for.
    private var delayedRequests: [String] = []

    /// The number of lines of a new note.
    private let lines: Int

    public init(_ server: Server, seed: UInt64, lines: Int, clients: Int = 4) {
        self.lines = lines
        self.server = server
        random = Randomness(seed: seed)
        self.clients = (0..<clients).map { SimulatedClient(name: "c\($0)") }
        offline = Array(repeating: 0, count: clients)
    }

    /// The number of simulations that run at the same time.
    public static var threads: Int { 4 }

    /// Runs simulations from a random seed or `ALMANAC_TEST_SEED`, each on the server that the closure returns for its
    /// seed. A thread stops at its first failure.
    ///
    /// - Returns: the failures, each with the variables that repeat it.
    public static func failures(
        runs: Int, lines: Int, on server: @escaping @Sendable (_ seed: UInt64) throws -> Server
    ) throws -> [String] {
        let seed = Randomness().seed
        let failures = try concurrently(threads, within: .seconds(3600)) { thread in
            for run in stride(from: thread, to: runs, by: threads) {
                let runSeed = seed &+ UInt64(run)
                do {
                    var simulation = Simulation(try server(runSeed), seed: runSeed, lines: lines)
                    try simulation.run(steps: 120)
                } catch {
                    return ["ALMANAC_TEST_SEED=\(runSeed) ALMANAC_TEST_RUNS=1: \(error)"]
                }
            }
            return []
        }
        print("\(runs) simulations from ALMANAC_TEST_SEED=\(seed)")
        return failures.flatMap(\.self)
    }

    /// Performs random actions on random clients, then delivers everything and checks the result.
    public mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let index = clients.indices.randomElement(using: &random)!
            clients[index].performRandomEdit(&log, &random, lines: lines)
            if offline[index] > 0 {
                offline[index] -= 1
                continue
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: offline[index] = Int.random(in: 1...8, using: &random)
            case 1...4: try push(index)
            case 5...7: try pull(index)
            default: break
            }
            if !delayedRequests.isEmpty, chance(1, in: 3) { try deliverDelayedRequests() }
        }
        try settle()
        try check()
    }

    private mutating func chance(_ count: Int, in total: Int) -> Bool {
        Int.random(in: 0..<total, using: &random) < count
    }

    private mutating func push(_ index: Int) throws {
        let actions = clients[index].actions(&random)
        guard !actions.isEmpty else { return }
        let body = "\(JSONValue.array(actions))"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: delayedRequests.append(body)
        case 2: _ = try server.act(body)
        case 3:
            delayedRequests.append(body)
            try clients[index].receive(try server.act(body))
        case 4:
            let copies = try server.actTwice(body)
            for results in Bool.random(using: &random) ? copies : copies.reversed() {
                try clients[index].receive(results)
            }
        default: try clients[index].receive(try server.act(body))
        }
    }

    private mutating func deliverDelayedRequests() throws {
        let index = delayedRequests.indices.randomElement(using: &random)!
        _ = try server.act(delayedRequests.remove(at: index))
    }

    private mutating func pull(_ index: Int) throws {
        // The loop needs a copy, because the closure draws random numbers while `clients` is being changed.
        var random = random
        defer { self.random = random }
        try clients[index].pull(server) { Int.random(in: 0..<6, using: &random) == 0 }
    }

    private mutating func settle() throws {
        while !delayedRequests.isEmpty { try deliverDelayedRequests() }
        for _ in 0..<20 {
            for index in clients.indices {
                let actions = clients[index].actions(&random)
                if !actions.isEmpty { try clients[index].receive(try server.act("\(JSONValue.array(actions))")) }
                try clients[index].pull(server) { false }
            }
            if clients.allSatisfy(\.isSettled) { break }
        }
        for index in clients.indices { try clients[index].pull(server) { false } }
        guard clients.allSatisfy(\.isSettled) else { throw UnexpectedResult("the clients never settled") }
    }

    /// Compares each client's texts with the server's, and checks every word against the write log.
    private func check() throws {
        let answer = try server.read("notes?limit=1000")
        guard let revision = answer.number("revision") else { throw UnexpectedResult("no revision") }
        let details = answer["details"]?.objectValue
        var texts: [String: String] = [:]
        for id in try answer.texts("order") { texts[id] = details?[id]?.objectValue?.text("body") ?? "?" }
        for client in clients {
            guard Set(client.notes.keys) == Set(texts.keys) else {
                throw UnexpectedResult(
                    "\(client.name) has \(client.notes.keys.sorted()), the server \(texts.keys.sorted())")
            }
            for (id, note) in client.notes where !note.local.utf8.elementsEqual(texts[id]!.utf8) {
                throw UnexpectedResult("\(client.name) has another text of \(id) than the server")
            }
        }
        let trash = try revision == 0 ? [] : server.read("notes?since=0&limit=1000").texts("deleted")
        let thrown = try trash.map { try server.read("notes/\($0)?revision=\(revision)").text("body") ?? "" }
        for (id, text) in zip(trash, thrown) {
            if let word = log.unseenWord(inDeleted: id, text) {
                throw UnexpectedResult("\(id) is in the trash with \(word), which nobody who deleted it had seen")
            }
        }
        if let problem = log.problem(with: texts.values + thrown, writers: clients.count) {
            throw UnexpectedResult(problem)
        }
    }
}
