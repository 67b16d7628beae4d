import AlmanacPOSIX
import AlmanacTimestamps
import Testing

@testable import AlmanacMaintenance

@Suite struct HostChecksTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private static func ago(hours: Int64) -> Timestamp { now.advanced(bySeconds: -hours * 3600) }

    @Test(
        arguments: [
            (ago(hours: 20), .good, "20 hours old"), (ago(hours: 1), .good, "60 minutes old"),
            (ago(hours: 27), .warning, "27 hours old, of 2023-11-13T19:13:20.000Z"),
            (nil, .warning, "never a backup, in 72 hours"),
        ] as [(Timestamp?, Finding.Outcome, String)])
    func `a backup that is missing or older than a day is worth a warning`(
        newest: Timestamp?, outcome: Finding.Outcome, text: String
    ) {
        let finding = BackupCheck.finding(
            "production", newest: newest, watchedSince: Self.ago(hours: 72), now: Self.now.milliseconds)
        #expect(finding.outcome == outcome, "\(finding)")
        #expect(finding.text.contains(text), "\(finding)")
        #expect(finding.advice.isEmpty == (outcome == .good))
    }

    @Test(
        arguments: [
            (100 << 30, 50 << 30, nil, .good), (100 << 30, 1 << 30, nil, .warning), (4 << 30, 1 << 30, nil, .good),
            (100 << 30, 100 << 20, nil, .failed), (100 << 30, 50 << 30, 12, .failed),
            (100 << 30, 50 << 30, 1_000_000, .good),
        ] as [(UInt64, UInt64, UInt64?, Finding.Outcome)])
    func `a disk without room is found before PostgreSQL finds it`(
        bytes: UInt64, free: UInt64, files: UInt64?, outcome: Finding.Outcome
    ) {
        let finding = DiskCheck.finding("/", bytes: bytes, freeBytes: free, freeFiles: files)
        #expect(finding.outcome == outcome, "\(finding)")
        #expect(finding.advice.isEmpty == (outcome == .good))
    }

    @Test func `each disk is looked at once, and what cannot be looked at is named`() throws {
        let findings = DiskCheck.findings(["/", "/", "/nowhere"])
        #expect(findings.map(\.place) == ["/", "/nowhere"])
        #expect(findings.last?.outcome == .skipped)
        #expect(try FileSystem(of: "/").freeBytes <= FileSystem(of: "/").bytes)
    }

    @Test(arguments: [(true, .good), (false, .warning), (nil, .skipped)] as [(Bool?, Finding.Outcome)])
    func `a clock that nobody keeps right is worth a warning`(isSynchronized: Bool?, outcome: Finding.Outcome) {
        #expect(ClockCheck.finding(isSynchronized: isSynchronized).outcome == outcome)
    }
}
