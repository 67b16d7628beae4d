internal import AlmanacEnvironments
internal import AlmanacHTTP
public import AlmanacMetrics
public import AlmanacPostgreSQL
internal import Synchronization

extension Metric {
    static let attachmentBytes = Metric(
        .gauge, "almanac_attachment_bytes", by: ["environment"],
        "Bytes of attachments and previews in the store, equal ones counted once.")
    static let attachmentUploadsOpen = Metric(
        .gauge, "almanac_attachment_uploads_open", by: ["environment"],
        "Attachments that are declared and not completely received.")
    static let attachmentsRefused = Metric(
        .counter, "almanac_attachments_refused_total", by: ["environment", "reason"],
        "Refused calls of attachments by the type of the problem.")
    static let attachmentOrphans = Metric(
        .counter, "almanac_attachment_orphans_total", by: ["environment"],
        "Files without a row that the hourly cleaning of this process has removed from the store.")
}

/// The metrics of an environment's attachments.
public final class AttachmentMetrics: Sendable {
    private let environment: EnvironmentName
    private let refusals: [ProblemKind: Counter]
    private let orphans = Counter(.attachmentOrphans)
    private let state = Mutex(State())

    private struct State {
        /// The numbers in the database; nil if unknown, so that nothing is shown.
        var stored: (bytes: Int64, uploads: Int64)?
        var checkedAt: ContinuousClock.Instant?
    }

    /// The minimum time between two queries, however often `check` is called.
    private static let interval = Duration.seconds(60)

    private static let usage = Statement(
        """
        -- name: attachments_usage
        select (select coalesce(sum(bytes), 0)::bigint from blobs) as bytes, (
            select count(*) from attachments t
            where t.removed_at is null
                and (t.revision is null or (t.preview_hash is not null and not t.preview_is_stored))) as uploads
        """)

    /// The reasons for which calls of attachments are refused.
    private static let reasons: [ProblemKind] = [
        .attachmentNotHere, .attachmentRemoved, .attachmentExists, .attachmentEmpty, .attachmentTooLarge,
        .attachmentTooLong, .limitExceeded, .tooManyUploads, .wrongOffset, .hashMismatch, .invalidValue, .storeFull,
        .storeAway,
    ]

    init(_ environment: EnvironmentName) {
        self.environment = environment
        // Creates every counter from the start, because a rate misses the first event of a new counter.
        refusals = Dictionary(uniqueKeysWithValues: Self.reasons.map { ($0, Counter(.attachmentsRefused)) })
    }

    /// Counts a refused call.
    func refuse(_ reason: ProblemKind) { refusals[reason]?.add() }

    func removeOrphans(_ count: Int) { orphans.add(count) }

    /// Reads the numbers in the database, if the last check is old enough.
    public func check(_ pool: Pool) {
        let isDue = state.withLock { state in
            if let checkedAt = state.checkedAt, .now - checkedAt < Self.interval { return false }
            state.checkedAt = .now
            return true
        }
        guard isDue, let row = try? pool.withConnection({ try $0.run(Self.usage).single("attachments") }),
            let bytes = try? row.bigint("bytes"), let uploads = try? row.bigint("uploads")
        else { return }
        state.withLock { $0.stored = (bytes, uploads) }
    }

    public func write(to exposition: inout Exposition) {
        orphans.write(to: &exposition, .attachmentOrphans, [environment.text])
        for (reason, counter) in refusals {
            counter.write(to: &exposition, .attachmentsRefused, [environment.text, reason.rawValue])
        }
        guard let stored = state.withLock(\.stored) else { return }
        exposition.add(.attachmentBytes, [environment.text], Double(stored.bytes))
        exposition.add(.attachmentUploadsOpen, [environment.text], Double(stored.uploads))
    }
}
