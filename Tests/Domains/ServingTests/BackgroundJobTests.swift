import AlmanacPOSIX
import AlmanacServing
import AlmanacTestSupport
import Testing

@Suite(.blocking) struct BackgroundJobTests {
    private struct Outage: Error, CustomStringConvertible { let description: String }

    @Test func `an outage is reported when it begins, when its error changes, and when it ends`() throws {
        let reports = Monitor<[String]>([])
        let isOver = try Event()
        let job = try BackgroundJob(
            from: 0, threadName: "job", pause: .zero, idleInterval: .milliseconds(1)
        ) { step in
            step += 1
            switch step {
            case 2...4: throw Outage(description: "away")
            case 5: throw Outage(description: "read-only")
            default: return false
            }
        } report: { failure in
            reports.update { $0.append(failure.map { "\($0)" } ?? "over") }
            if failure == nil { isOver.set() }
        }
        #expect(isOver.wait(upTo: .seconds(30)))
        job.stop()
        #expect(reports.read { $0 } == ["away", "read-only", "over"])
    }

    @Test func `a job that is woken does not wait for the end of its pause`() throws {
        let steps = Monitor(0)
        let job = try BackgroundJob(from: 0, threadName: "job", pause: .zero, idleInterval: .seconds(3600)) { _ in
            steps.update { $0 += 1 }
            return false
        } report: { failure in
            Issue.record("\(String(describing: failure))")
        }
        defer { job.stop() }
        #expect(eventually(within: .seconds(20)) { steps.read { $0 } == 1 })
        job.wake()
        #expect(eventually(within: .seconds(20)) { steps.read { $0 } == 2 })
    }
}
