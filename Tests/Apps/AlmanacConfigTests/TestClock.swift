import AlmanacConfig
import Foundation
import Synchronization

/// A clock that stands until a test moves it, the wall's part apart from the other. Nobody sleeps on it.
final class TestClock: ConfigClock {
    private let times = Mutex((date: Date(timeIntervalSince1970: 1_700_000_000), uptime: Duration.seconds(1000)))

    var date: Date { times.withLock { $0.date } }
    var uptime: Duration { times.withLock { $0.uptime } }

    func advance(_ seconds: Int) {
        times.withLock {
            $0.date += Double(seconds)
            $0.uptime += .seconds(seconds)
        }
    }

    /// Somebody sets the clock.
    func moveWall(_ seconds: Double) {
        times.withLock { $0.date += seconds }
    }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
