import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// Somebody who counts in a config key and with notes, and says each number again until it is acknowledged.
final class AcknowledgedWrites: Sendable {
    /// The results of the writes.
    struct Outcome {
        /// Numbers from 0 on, all of them acknowledged.
        let count: Int
        /// How often the answer was that the database is away.
        let refusals: Int
        /// Every answer that was neither.
        let faults: [String]
    }

    private let isOver: Event
    private let state = Monitor<(count: Int, refusals: Int, faults: [String])>((0, 0, []))
    private let thread: Thread

    /// - Parameters:
    ///   - environment: the environment's name.
    ///   - name: sets the key, the notes and the actions apart from those of others.
    ///   - endures: also takes it for a refusal when nginx finds no service, or is away itself.
    ///   - config: makes a client with an API token.
    ///   - notes: makes a client with a user's token.
    init(
        _ environment: String, name: String = "", endures: Bool = false,
        config: @escaping @Sendable () -> HTTPClient, notes: @escaping @Sendable () -> HTTPClient
    ) throws {
        let isOver = try Event()
        self.isOver = isOver
        thread = Thread(name: "counting") { [state] in
            let (config, notes) = (config(), notes())
            func repeating(_ write: () throws -> HTTPResponse) {
                while !isOver.isSet {
                    do {
                        let answer = try write()
                        if (200...201).contains(answer.status) { return }
                        state.update { state in
                            if answer.status == 503 || endures && [502, 504].contains(answer.status) {
                                state.refusals += 1
                            } else {
                                state.faults.append("\(answer.status) \(answer.text.prefix(300))")
                            }
                        }
                    } catch {
                        state.update { state in
                            if endures { state.refusals += 1 } else { state.faults.append("\(error)") }
                        }
                    }
                    _ = isOver.wait(upTo: .milliseconds(20))
                }
            }
            var number = 0
            while !isOver.isSet {
                repeating { try config.put("/\(environment)/config/count\(name)", .number(JSONNumber(number))) }
                repeating {
                    let action =
                        #"[["createNote", {"action_id": "\#(name)a\#(number)", "#
                        + #""id": "\#(name)n\#(number)", "title": "", "body": "b"}]]"#
                    return try notes.send("POST", "/\(environment)/notes", body: Array(action.utf8))
                }
                // A write that was under way at the end may have been done or not.
                if isOver.isSet { return }
                number += 1
                state.update { $0.count = number }
                // Slow enough for one page to hold the whole history.
                _ = isOver.wait(upTo: .milliseconds(5))
            }
        }
    }

    deinit {
        isOver.set()
    }

    /// Blocks until some more writes are acknowledged.
    func goesOn() -> Bool {
        let before = state.read(\.count)
        return state.wait(upTo: .seconds(30)) { $0.count >= before + 5 ? true : nil } ?? false
    }

    /// Blocks until a write is refused from now on.
    func isRefused() -> Bool {
        let before = state.read(\.refusals)
        return state.wait(upTo: .seconds(30)) { $0.refusals > before ? true : nil } ?? false
    }

    /// Ends it.
    func stop() -> Outcome {
        isOver.set()
        let hasEnded = thread.wait(upTo: .seconds(30))
        return state.read {
            Outcome(count: $0.count, refusals: $0.refusals, faults: $0.faults + (hasEnded ? [] : ["it does not end"]))
        }
    }
}
