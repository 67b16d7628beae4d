import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of nginx's settings that apply only to evaluations of flags.
    @Suite struct EvaluationProxyTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        private static let body = Array(#"{"context":{"targetingKey":"u1"}}"#.utf8)

        @Test func `at the root of a host that names the environment all is as below it`() throws {
            let client = instance.client()
            let host = [("Host", "development.localhost")]
            let below = try client.send("POST", "/development/ofrep/v1/evaluate/flags", body: Self.body)
            #expect(below.status == 200 && below.text.contains(#""requestUri":"/development/events?ofrep=true""#))
            for slash in ["", "/"] {
                let path = "/ofrep/v1/evaluate/flags" + slash
                let answer = try instance.client(version: .http11).send("POST", path, headers: host, body: Self.body)
                #expect(
                    answer.status == 200 && answer.text.contains(#""requestUri":"/events?ofrep=true""#),
                    "\(answer.text)")
            }
            let missing = try instance.client(version: .http11).send(
                "POST", "/ofrep/v1/evaluate/flags/none", headers: host, body: Self.body)
            #expect(missing.status == 404 && missing.text.contains(#""key":"none","errorCode":"FLAG_NOT_FOUND""#))
        }

        @Test func `no evaluation fails while workers end and others take their place`() throws {
            let isOver = try Event()
            let answers = Monitor<(good: Int, failures: [String])>((0, []))
            let threads = (0..<8).map { number in
                Thread(name: "evaluation \(number)") { [instance] in
                    let client = instance.client(version: .http11)
                    while !isOver.isSet {
                        let answer = Result {
                            try client.send("POST", "/development/ofrep/v1/evaluate/flags", body: Self.body)
                        }
                        answers.update { state in
                            switch answer {
                            case .success(let response) where response.status == 200: state.good += 1
                            case .success(let response): state.failures.append("\(response.status) \(response.text)")
                            case .failure(let error): state.failures.append("\(error)")
                            }
                        }
                    }
                }
            }
            for _ in 0..<6 {
                let before = answers.read { $0.good }
                #expect(eventually(within: .seconds(20)) { answers.read { $0.good } > before + 40 })
                let pid = try #require(try instance.pids(of: "worker").first)
                #expect(kill(pid, SIGTERM) == 0)
                #expect(
                    try eventually(within: .seconds(20)) {
                        let pids = try instance.pids(of: "worker")
                        return !pids.isEmpty && !pids.contains(pid)
                    })
            }
            isOver.set()
            for thread in threads { #expect(thread.wait(upTo: .seconds(60))) }
            #expect(answers.read { $0.failures } == [])
        }
    }
}
