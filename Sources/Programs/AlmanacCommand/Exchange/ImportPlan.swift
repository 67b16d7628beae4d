internal import AlmanacForms

/// The notes of an export that an account imports. Existing notes stay unchanged.
struct ImportPlan {
    private(set) var added: [ExchangedNote] = []
    /// The number of notes that already exist in the account, its trash included.
    var same = 0
    var remarks: [ImportRemark]

    /// The server's limits: bytes of a title, bytes of a body, notes of an account.
    static let maxTitleBytes = 1024
    private static let maxBodyBytes = 1 << 20
    private static let maxNotes = 10_000

    /// - Parameter known: the account's notes, those in the trash included.
    init(_ found: FoundNotes, known: [ExchangedNote]) {
        remarks = found.remarks
        var states = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (note, source) in found.notes {
            if let flaw = Self.flaw(note) {
                remarks.append(ImportRemark(source: source, reason: flaw))
                continue
            }
            var fit = note
            for tag in note.tags where !NoteTag.isValid(tag) {
                remarks.append(ImportRemark(source: source, reason: .tag, detail: tag))
            }
            let tags = note.tags.filter(NoteTag.isValid)
            for tag in tags.dropFirst(NoteTag.maxPerNote) {
                remarks.append(ImportRemark(source: source, reason: .tooManyTags, detail: tag))
            }
            fit.tags = Array(tags.prefix(NoteTag.maxPerNote))
            if let there = states[fit.id] {
                if there.isSame(as: fit) {
                    same += 1
                } else {
                    remarks.append(ImportRemark(source: source, reason: .different))
                }
            } else if states.count >= Self.maxNotes {
                remarks.append(ImportRemark(source: source, reason: .tooManyNotes))
            } else {
                states[fit.id] = fit
                added.append(fit)
            }
        }
    }

    private static func flaw(_ note: ExchangedNote) -> ImportRemark.Reason? {
        if note.isInTrash, note.title.isEmpty, note.body.isEmpty, note.tags.isEmpty { return .empty }
        if note.title.utf8.contains(0) || note.body.utf8.contains(0) { return .nulCharacter }
        if note.title.utf8.count > maxTitleBytes { return .longTitle }
        return note.body.utf8.count > maxBodyBytes ? .longBody : nil
    }
}
