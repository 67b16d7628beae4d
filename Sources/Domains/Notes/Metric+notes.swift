public import AlmanacMetrics

/// The metrics of notes.
extension Metric {
    public static let notesActions = Metric(
        .counter, "almanac_notes_actions_total", by: ["environment", "status"],
        "Actions on notes by what became of them: applied, merged, duplicate or rejected.")

    public static let ofNotes: [Metric] = [notesActions]
}
