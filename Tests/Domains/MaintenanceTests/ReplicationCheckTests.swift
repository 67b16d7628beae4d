import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacMaintenance

@Suite struct ReplicationCheckTests {
    @Test(
        arguments: [
            (ReplicationCheck(), .good, "there is no standby"),
            (ReplicationCheck(standbys: 1), .warning, "asynchronous"),
            (ReplicationCheck(namesSeveralServers: true, choosesPrimary: true), .warning, "asynchronous"),
            (
                ReplicationCheck(
                    namesSeveralServers: true, choosesPrimary: true, standbys: 2, synchronousNames: "ANY 1 (a, b)"),
                .good, "ANY 1 (a, b)"
            ),
            (
                ReplicationCheck(standbys: 1, synchronousNames: "*", synchronousCommit: "local"), .warning,
                "synchronous_commit is local"
            ),
            (
                ReplicationCheck(namesSeveralServers: true, standbys: 1, synchronousNames: "*"), .warning,
                "may reach a standby"
            ),
            (ReplicationCheck(synchronousNames: "*"), .failed, "no standby is connected"),
            (ReplicationCheck(isStandby: true), .failed, "a standby"),
        ] as [(ReplicationCheck, Finding.Outcome, String)])
    func `what a failover would cost is said, with what to do`(
        check: ReplicationCheck, outcome: Finding.Outcome, text: String
    ) {
        let finding = check.finding("production")
        #expect(finding.outcome == outcome, "\(finding)")
        #expect(finding.text.contains(text), "\(finding)")
        #expect(finding.advice.isEmpty == (outcome == .good))
    }

    @Test(.database(.migrated)) func `a worker's role may look at it`() throws {
        let connection = try Connection(TestDatabase.current.settings(user: TestDatabase.worker))
        #expect(try ReplicationCheck(connection).isStandby == false)
    }
}
