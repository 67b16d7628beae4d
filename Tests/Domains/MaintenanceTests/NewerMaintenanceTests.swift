import AlmanacEnvironments
import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacMaintenance

/// Tests of the backup, the restore and the doctor on a schema of a newer release.
@Suite(.database(.migrated)) struct NewerMaintenanceTests {
    private let trial: BackupFixture

    init() throws { trial = try BackupFixture(TestDatabase.current) }

    private func addMigration(_ number: Int) throws {
        try trial.owner.execute(script: "insert into almanac_migrations values (\(number), 'later', '')")
    }

    private var finding: Finding? { DatabaseCheck(trial.environment).findings().first { $0.check == "schema" } }

    private let warning =
        "the schema is at migration \(Schema.required + 1), newer than this release's \(Schema.required)"

    @Test func `a backup of a schema one migration newer is recorded and restored`() throws {
        try addMigration(Schema.required + 1)
        try trial.release(1)
        let before = try trial.owner.newestBackup()
        try trial.backUp()
        #expect(try trial.owner.newestBackup() > before)
        try trial.release(1)
        let prepared = try trial.prepare()
        #expect(prepared.backup.state.schema.warning == warning)
        let outcome = try prepared.run()
        #expect(outcome.revision == 1 && !outcome.needsMigration)
    }

    @Test func `a backup of a schema two migrations newer is refused, and the database stays`() throws {
        for step in 1...2 { try addMigration(Schema.required + step) }
        try trial.backUp()
        try trial.owner.execute(script: "delete from almanac_migrations where number > \(Schema.required)")
        try trial.release(1)
        let refusal = #expect(throws: MaintenanceFailure.self) { try trial.prepare() }
        #expect(refusal?.description.contains("install a release in between") == true, "\(refusal as Any)")
        #expect(refusal?.description.hasSuffix("the database was not changed") == true)
        #expect(try DatabaseState(trial.owner)?.revision == 1)
    }

    @Test func `the doctor warns of a schema one migration newer, and fails on one that is two newer`() throws {
        #expect(finding?.outcome == .good)
        try addMigration(Schema.required + 1)
        #expect(finding?.outcome == .warning && finding?.text == warning)
        try addMigration(Schema.required + 2)
        #expect(finding?.outcome == .failed && finding?.text.contains("install a release in between") == true)
        #expect(finding?.advice.contains("almanac migrate") == false)
    }
}
