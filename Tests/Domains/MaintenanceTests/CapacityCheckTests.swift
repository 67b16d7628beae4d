import AlmanacEnvironments
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacMaintenance

@Suite struct CapacityCheckTests {
    @Test(arguments: [(0, .good), (77, .good), (78, .warning), (97, .warning)] as [(Int64, Finding.Outcome)])
    func `connections that run out are worth a warning`(used: Int64, outcome: Finding.Outcome) {
        let finding = CapacityCheck.connections("production", used: used, available: 97)
        #expect(finding.outcome == outcome, "\(finding)")
        #expect(finding.text.contains("\(used) of PostgreSQL's 97 connections"))
        #expect(finding.advice.isEmpty == (outcome == .good))
    }

    @Test func `slots that fill the disk, and standbys that lost their WAL, are named`() {
        typealias Slot = CapacityCheck.Slot
        #expect(CapacityCheck.slots("production", []).map(\.outcome) == [.good])
        let fine = Slot(name: "fine", bytes: 2 << 30)
        #expect(CapacityCheck.slots("production", [fine]).map(\.outcome) == [.good])
        let faults = CapacityCheck.slots(
            "production",
            [
                fine, Slot(name: "away", isActive: false, bytes: 3 << 30), Slot(name: "late", bytes: 4 << 30),
                Slot(name: "gone", isActive: false, walStatus: "lost"),
            ])
        #expect(faults.map(\.outcome) == [.warning, .warning, .warning])
        #expect(faults[0].text.contains("away keeps 3072 MB of WAL") && faults[0].text.hasSuffix("not connected"))
        #expect(faults[1].text.contains("late") && faults[1].text.hasSuffix("connected, but late"))
        #expect(faults[2].text.contains("gone can't continue"))
        #expect(faults.allSatisfy { $0.advice.contains("pg_drop_replication_slot") })
    }

    @Test func `a worker's login can read both from the server`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let worker = try Connection(database.settings(user: TestDatabase.worker))
            let superuser = try Connection(TestCluster.settings)
            let slot = "doctor_\(UInt64.random(in: .min ... .max))"
            try superuser.execute(script: "select pg_create_physical_replication_slot('\(slot)', true)")
            defer { try? superuser.execute(script: "select pg_drop_replication_slot('\(slot)')") }
            let findings = CapacityCheck.findings(worker, "trial")
            #expect(findings.map(\.check) == ["connections", "slots"])
            #expect(findings.last?.text.contains("0 slots") == false, "\(findings)")
        }
    }

    @Test func `logs that logrotate does not rotate are named`() throws {
        let root = try TemporaryFolder()
        let folders = ["/var/log/nginx", "/var/log/postgresql"]
        func findings(days: Int64 = 0) -> [Finding] {
            LogCheck.findings(folders, root: root.path, now: WallClock.milliseconds + days * 86_400_000)
        }
        #expect(LogCheck.findings([], root: root.path, now: 0).isEmpty)
        #expect(findings().map(\.text) == ["logrotate is not installed"])
        for folder in ["usr/sbin", "etc/logrotate.d", "var/lib/logrotate"] {
            try #require(Command.run("mkdir", ["-p", "\(root.path)/\(folder)"]).succeeded)
        }
        try root.write("usr/sbin/logrotate", "".utf8)
        try root.write("etc/logrotate.d/nginx", "/var/log/nginx/*.log {\n}\n".utf8)
        #expect(findings().map(\.outcome) == [.good, .warning])
        #expect(findings().last?.place == "/var/log/postgresql")
        try root.write("var/lib/logrotate/status", "".utf8)
        #expect(findings(days: 2).map(\.outcome) == [.good, .warning])
        #expect(findings(days: 4).first?.text == "logrotate last ran 4 days ago")
    }
}
