internal import POSIX
internal import Serving

let started = ContinuousClock.now
Signal.takeOver()
do {
    try Worker(ServerSettings(threads: 32, connections: 16)).run()
} catch {
    Process.report("almanac-worker: \(String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " "))")
    // A supervisor may start the worker again at once; it ends no sooner than a second after its start.
    let rest = Duration.seconds(1) - (ContinuousClock.now - started)
    if rest > .zero { _ = try? Event().wait(upTo: rest) }
    Process.end(status: 1)
}
