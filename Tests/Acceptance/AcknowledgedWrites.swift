import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport

/// A writer that counts in a config key and in notes, and retries each number until it is acknowledged.
final class AcknowledgedWrites: Sendable {
    struct Outcome {
        /// The number of acknowledged writes. Their numbers begin at 0.
        let count: Int
        /// The number of responses that report an unavailable database.
        let refusals: Int
        /// Every other response that is not a success.
        let faults: [String]
    }

    private let isStopped: Event
    private let state = Monitor<(count: Int, refusals: Int, faults: [String])>((0, 0, []))
    private let thread: Thread

    /// - Parameters:
    /// - environment: the environment's name.
    /// - name: a suffix that separates the key, notes and actions from those of other writers.
    /// - countsProxyErrorsAsRefusals: `true` to count responses of nginx without a service, and failures to connect,
    ///   as refusals.
    /// - config: makes a client with an API token.
    /// - notes: makes a client with a user's token.
    init(
        _ environment: String, name: String = "", countsProxyErrorsAsRefusals: Bool = false,
        config: @escaping @Sendable () -> HTTPClient, notes: @escaping @Sendable () -> HTTPClient
    ) throws {
        let isStopped = try Event()
        self.isStopped = isStopped
        thread = Thread(name: "counting") { [state] in
            let (config, notes) = (config(), notes())
            func repeating(_ write: () throws -> HTTPResponse) {
                while !isStopped.isSet {
                    do {
                        let answer = try write()
                        if (200...201).contains(answer.status) { return }
                        state.update { state in
                            if answer.status == 503
                                || countsProxyErrorsAsRefusals && [502, 504].contains(answer.status)
                            {
                                state.refusals += 1
                            } else {
                                state.faults.append("\(answer.status) \(answer.text.prefix(300))")
                            }
                        }
                    } catch {
                        state.update { state in
                            if countsProxyErrorsAsRefusals {
                                state.refusals += 1
                            } else {
                                state.faults.append("\(error)")
                            }
                        }
                    }
                    _ = isStopped.wait(upTo: .milliseconds(20))
                }
            }
            var number = 0
            while !isStopped.isSet {
                repeating { try config.put("/\(environment)/config/count\(name)", .number(JSONNumber(number))) }
                repeating {
                    let action =
                        #"[["createNote", {"action_id": "\#(name)a\#(number)", "#
                        + #""id": "\#(name)n\#(number)", "title": "", "body": "b"}]]"#
                    return try notes.send("POST", "/\(environment)/notes", body: Array(action.utf8))
                }
                // The server may have made a write that was in flight at the end.
                if isStopped.isSet { return }
                number += 1
                state.update { $0.count = number }
                // Write slowly, because one page must hold the whole history.
                _ = isStopped.wait(upTo: .milliseconds(5))
            }
        }
    }

    deinit { isStopped.set() }

    /// Blocks until five more writes are acknowledged.
    func awaitProgress() -> Bool {
        let before = state.read(\.count)
        return state.wait(upTo: .seconds(30)) { $0.count >= before + 5 ? true : nil } ?? false
    }

    /// Blocks until another write is refused.
    func awaitRefusal() -> Bool {
        let before = state.read(\.refusals)
        return state.wait(upTo: .seconds(30)) { $0.refusals > before ? true : nil } ?? false
    }

    func stop() -> Outcome {
        isStopped.set()
        let hasEnded = thread.wait(upTo: .seconds(30))
        return state.read {
            Outcome(
                count: $0.count, refusals: $0.refusals,
                faults: $0.faults + (hasEnded ? [] : ["the writer did not stop within 30 s"]))
        }
    }
}
