internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// A proxy between a program and a test's database. It kills the program with SIGKILL before a chosen statement.
public final class KillingProxy: Sendable {
    /// The result of a program's run.
    public struct Run: Sendable {
        /// The names of the statements that reached the database, in order.
        public let statements: [String]
        /// The name of the statement before which the program was killed; nil if the program ended by itself.
        public let killedBefore: String?
        /// The program's standard output.
        public let output: String
    }

    private struct State {
        /// The name of the first statement that counts.
        let first: String
        /// The number of counting statements before the kill; nil for no kill.
        let limit: Int?
        var program: BackgroundCommand?
        var statements: [String] = []
        var killedBefore: String?

        /// Returns true if a statement may pass.
        mutating func admit(_ name: String) -> Bool {
            guard !statements.isEmpty || name == first else { return true }
            if statements.count == limit {
                killedBefore = name
                return false
            }
            statements.append(name)
            return true
        }
    }

    private let server: LoopbackServer
    private let state = Monitor(State(first: "", limit: nil))

    public init() throws {
        let options = try Connection(TestCluster.settings).options
        func option(_ keyword: String) -> String { options.first { $0.keyword == keyword }?.value ?? "" }
        let socket = "\(option("host"))/.s.PGSQL.\(option("port"))"
        server = try LoopbackServer { [state] client in
            guard let database = LoopbackConnection.open(path: socket) else { return }
            defer { database.close() }
            Self.forward(client, database, state)
        }
    }

    /// Returns the address of a database behind the proxy.
    public func conninfo(of database: TestDatabase, user: String) -> String {
        database.conninfo(user: user) + " host=127.0.0.1 port=\(server.port) sslmode=disable gssencmode=disable"
    }

    /// Runs a program to its end, or kills it.
    ///
    /// - Parameters:
    ///   - limit: The number of statements after which the program is killed; nil to let it end.
    ///   - first: The name of the first statement that counts.
    public func run(
        _ program: String, _ arguments: [String], killingAfter limit: Int?, from first: String
    ) throws -> Run {
        state.update { $0 = State(first: first, limit: limit) }
        let program = try BackgroundCommand(program, arguments)
        state.update { $0.program = program }
        let status = program.wait(upTo: .seconds(60))
        let end = state.update { state in
            state.program = nil
            return state
        }
        guard end.killedBefore != nil || status == 0 else {
            throw CommandFailure(description: String(decoding: program.errorBytes, as: UTF8.self))
        }
        return Run(
            statements: end.statements, killedBefore: end.killedBefore,
            output: String(decoding: program.outputBytes, as: UTF8.self))
    }

    /// Forwards the messages of both sides until one of them ends, or until the program is killed.
    private static func forward(
        _ client: LoopbackConnection, _ database: LoopbackConnection, _ state: Monitor<State>
    ) {
        var messages = ClientMessages()
        while let ready = Poll.readable([client.descriptor, database.descriptor]) {
            guard let bytes = (ready == client.descriptor ? client : database).bytes() else { return }
            guard ready == client.descriptor else {
                client.send(bytes)
                continue
            }
            for message in messages.complete(with: bytes) {
                if let name = message.statement, !state.update({ $0.admit(name) }) {
                    let program = state.wait(upTo: .seconds(10)) { $0.program }
                    program?.kill()
                    _ = program?.wait(upTo: .seconds(10))
                    return
                }
                database.send(message.bytes)
            }
        }
    }
}

/// The messages of a client of PostgreSQL ("Frontend/Backend Protocol" in its manual).
private struct ClientMessages {
    struct Message {
        let bytes: [UInt8]
        /// The name of the statement that the message runs; nil for another message.
        let statement: String?
    }

    private var pending: [UInt8] = []
    /// False until the start-up message, which has no type, has passed.
    private var hasStarted = false

    /// Returns the messages that further bytes complete.
    mutating func complete(with bytes: [UInt8]) -> [Message] {
        pending += bytes
        var messages: [Message] = []
        while true {
            let start = hasStarted ? 1 : 0
            guard pending.count >= start + 4 else { return messages }
            let length = pending[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard pending.count >= start + length else { return messages }
            let message = Array(pending[..<(start + length)])
            pending.removeFirst(message.count)
            messages.append(Message(bytes: message, statement: hasStarted ? Self.statement(message) : nil))
            hasStarted = true
        }
    }

    private static func statement(_ message: [UInt8]) -> String? {
        let texts = message.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        return switch message[0] {
        // A bind message names its portal, then the prepared statement.
        case UInt8(ascii: "B"): String(decoding: texts[1], as: UTF8.self)
        case UInt8(ascii: "Q"): String(decoding: texts[0].prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        default: nil
        }
    }
}
