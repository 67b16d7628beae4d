import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of devices that retry their actions until they are answered, while services are killed.
    @Suite struct NotesFaultTests {
        @Test func `every action takes effect exactly once though the worker is killed again and again`() throws {
            try killUnderLoad("worker", times: 12)
        }

        @Test func `every action takes effect exactly once though PostgreSQL is killed again and again`() throws {
            try killUnderLoad("postgres", times: 3)
        }

        /// Writes from several devices, kills a service in between, and looks for every written word.
        private func killUnderLoad(_ service: String, times: Int) throws {
            let user = try NotesUser()
            let edits = try AcknowledgedEdits(user)
            for _ in 0..<times {
                try #require(edits.awaitProgress())
                try user.instance.killProcess(of: service)
            }
            let outcome = try edits.stop()
            #expect(outcome.faults == [])
            #expect(outcome.lost == 0)
            #expect(outcome.duplicates == 0)
        }
    }
}
