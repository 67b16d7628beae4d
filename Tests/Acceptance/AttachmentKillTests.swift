import AlmanacPOSIX
import AlmanacTestRandomness
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests that kill the worker while a file is sent.
    @Suite struct AttachmentKillTests {
        /// The requests of an upload: the declaration, three pieces of the file, and the preview.
        private static let steps = 5
        private static let rounds = TestDepth.runs(quick: 1, standard: 5, long: 200)
        /// The time from the beginning of a step within which the worker is killed.
        private static let maxDelayMicroseconds: UInt32 = 30_000

        @Test func `a worker that is killed at any step of an upload stores nothing wrong, and the upload resumes`()
            throws
        {
            var randomness = Randomness()
            let user = try NotesUser()
            let preview = AttachmentUpload.png + [UInt8(ascii: "!")]
            for round in 0..<Self.rounds {
                let step = round % Self.steps
                let bytes = (0..<2_200_000).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }
                let delay = UInt32.random(in: 0..<Self.maxDelayMicroseconds, using: &randomness)
                let reached = try Event()
                let killer = concurrentKill(of: user.instance, after: reached, delay: delay)
                let upload = AttachmentUpload(user.client(), bytes, preview: preview)
                try upload.finish { if $0 == step { reached.set() } }
                try killer()
                let note = "step \(step), \(delay) µs, \(randomness.note)"
                #expect(try upload.read().body == bytes, "\(note)")
                #expect(try upload.read(part: "preview").body == preview, "\(note)")
                // Each change took one revision, however often its request was repeated.
                #expect(try user.client().revision() == Int64(2 * (round + 1)), "\(note)")
            }
        }

        /// Kills the worker some time after an event. Returns a function that waits until another worker runs.
        private func concurrentKill(
            of instance: Instance, after event: Event, delay: UInt32
        ) -> () throws -> Void {
            let outcome = Monitor<Result<Void, any Error>?>(nil)
            _ = Thread(name: "killer") {
                _ = event.wait(upTo: .seconds(60))
                usleep(delay)
                let result = Result { try instance.killProcess(of: "worker") }
                outcome.update { $0 = result }
            }
            return { try #require(outcome.wait(upTo: .seconds(60)) { $0 }).get() }
        }
    }
}
