public import AlmanacMetrics

/// The metrics of notes.
extension Metric {
    public static let notesActions = Metric(
        .counter, "almanac_notes_actions_total", by: ["environment", "status"],
        "Actions on notes by result: applied, merged, duplicate or rejected.")

    public static let ofNotes: [Metric] = [
        notesActions, attachmentBytes, attachmentUploadsOpen, attachmentsRefused, attachmentOrphans,
    ]
}
