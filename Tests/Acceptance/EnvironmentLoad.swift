import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// Concurrent reads and writes of config and notes, until stopped.
final class EnvironmentLoad: Sendable {
    private let name: String
    private let connect: @Sendable (_ token: String) -> HTTPClient
    private let isOver: Event
    /// The number of rounds of each thread, and every unexpected response.
    private let state = Monitor<(rounds: [Int], faults: [String])>(([], []))
    private let threads = Monitor<[Thread]>([])

    /// - Parameter connect: makes a client for the calling thread.
    init(_ name: String, _ connect: @escaping @Sendable (_ token: String) -> HTTPClient) throws {
        (self.name, self.connect, isOver) = try (name, connect, Event())
    }

    deinit { isOver.set() }

    /// - Parameter token: an API token with every permission.
    func start(token: String, user: String) {
        let works: [@Sendable (String, HTTPClient, Int, String) throws -> [HTTPResponse]] = [
            Self.writeConfig, Self.readConfig, Self.readHistory, Self.writeNotes, Self.readNotes,
        ]
        state.update { $0.rounds = works.map { _ in 0 } }
        let started = works.indices.map { index in
            Thread(name: "load \(index)") { [name, connect, isOver, state] in
                let client = connect(index < 3 ? token : user)
                let word = "w\(UInt64.random(in: .min ... .max))"
                var round = 0
                while !isOver.isSet {
                    let faults: [String]
                    do {
                        let answers = try works[index](name, client, round, word)
                        faults = answers.filter { !(200...299).contains($0.status) }.map {
                            "\($0.status) \($0.text.prefix(300))"
                        }
                    } catch {
                        faults = ["\(error)"]
                    }
                    round += 1
                    state.update { state in
                        state.rounds[index] += 1
                        state.faults += faults
                    }
                }
            }
        }
        threads.update { $0 = started }
    }

    /// Blocks until every thread has begun and finished another round.
    func awaitRound() -> Bool {
        let before = state.read { $0.rounds }
        return state.wait(upTo: .seconds(30)) { state in
            zip(state.rounds, before).allSatisfy { $0 >= $1 + 2 } ? true : nil
        } ?? false
    }

    /// - Returns: every unexpected response.
    func stop() -> [String] {
        isOver.set()
        let haveEnded = threads.read { $0 }.allSatisfy { $0.wait(upTo: .seconds(30)) }
        return state.read { $0.faults } + (haveEnded ? [] : ["a thread did not stop within 30 s"])
    }

    private static func writeConfig(_ name: String, _ client: HTTPClient, _ round: Int, _ word: String) throws
        -> [HTTPResponse]
    {
        [try client.put("/\(name)/config/load.\(round % 7)", .string("\(word) \(round)"))]
    }

    private static func readConfig(_ name: String, _ client: HTTPClient, _ round: Int, _ word: String) throws
        -> [HTTPResponse]
    {
        [try client.send("GET", "/\(name)/config"), try client.send("GET", "/\(name)/config?since=0")]
    }

    private static func readHistory(_ name: String, _ client: HTTPClient, _ round: Int, _ word: String) throws
        -> [HTTPResponse]
    {
        [try client.send("GET", "/\(name)/releases"), try client.send("GET", "/\(name)/config?at=0")]
    }

    private static func writeNotes(_ name: String, _ client: HTTPClient, _ round: Int, _ word: String) throws
        -> [HTTPResponse]
    {
        let action =
            #"[["createNote", {"action_id": "\#(word)-\#(round)", "id": "\#(word)-\#(round)", "title": "t", "#
            + #""body": "b"}]]"#
        return [try client.send("POST", "/\(name)/notes", body: Array(action.utf8))]
    }

    private static func readNotes(_ name: String, _ client: HTTPClient, _ round: Int, _ word: String) throws
        -> [HTTPResponse]
    {
        [try client.send("GET", "/\(name)/notes?limit=20"), try client.send("GET", "/\(name)/account")]
    }
}
