import AlmanacConfig
import AlmanacFlags
import Synchronization
import Testing
import os

@Suite struct LogTests {
    @Test func `a debug build logs problems with os.Logger`() {
        _ = ConfigClient(preview: ["log.test": "text"]).int("log.test", default: 0)
        _ = RemoteFlags(preview: [:]).bool("log.test", default: false)
        let messages = Logger.messages.withLock { $0 }
        #expect(messages.contains("Almanac AlmanacConfig: config log.test: expected a whole number, found string"))
        #expect(messages.contains("Almanac AlmanacFlags: flag log.test: the server has no such flag"))
    }
}
