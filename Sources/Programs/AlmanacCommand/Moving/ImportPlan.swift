/// What of an export an account takes: notes that are there already stay as they are.
struct ImportPlan {
    private(set) var added: [MovedNote] = []
    /// How many are there already, and the same.
    private(set) var same = 0
    private(set) var remarks: [MoveRemark]

    /// The server's limits: in bytes, in characters, and of a note or an account.
    static let longestTitle = 1024
    private static let longestBody = 1 << 20
    private static let longestTag = 64
    private static let mostTags = 32
    private static let mostNotes = 10_000

    /// - Parameter known: the account's notes, those in the trash too.
    init(_ found: FoundNotes, known: [MovedNote]) {
        remarks = found.remarks
        var states = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let spelled = Self.speller(known.flatMap(\.tags))
        for (note, source) in found.notes {
            if let flaw = Self.flaw(note) {
                remarks.append(MoveRemark(source: source, reason: flaw))
                continue
            }
            var fit = note
            for tag in note.tags where !Self.isTag(tag) {
                remarks.append(MoveRemark(source: source, reason: .tag, detail: tag))
            }
            let tags = MovedNote.sorted(note.tags.filter(Self.isTag).map(spelled))
            for tag in tags.dropFirst(Self.mostTags) {
                remarks.append(MoveRemark(source: source, reason: .tooManyTags, detail: tag))
            }
            fit.tags = Array(tags.prefix(Self.mostTags))
            var there = states[fit.id]
            // A path alone does not tell that it is the same note: two vaults may each have their "Ideas.md".
            let isOther =
                there.map { !$0.hasSameWords(as: fit) } == true
                && fit.id == MarkdownNotes.derivedID("md-", "\(source)\n")
            if isOther {
                fit.id = MarkdownNotes.derivedID("md-", "\(source)\n\n\(note.title)\n\(note.body)")
                there = states[fit.id]
            }
            if let there {
                if there.isSame(as: fit) {
                    same += 1
                } else {
                    remarks.append(MoveRemark(source: source, reason: .different))
                }
            } else if states.count >= Self.mostNotes {
                remarks.append(MoveRemark(source: source, reason: .tooManyNotes))
            } else {
                if isOther { remarks.append(MoveRemark(source: source, reason: .another)) }
                states[fit.id] = fit
                added.append(fit)
            }
        }
    }

    /// Spells a tag as the account's notes do, where they have it in another letter case or with its accents apart.
    ///
    /// - Parameter tags: those of the account.
    private static func speller(_ tags: [String]) -> (String) -> String {
        let spellings = Dictionary(tags.map { (FileNames.folded($0), $0) }, uniquingKeysWith: { $1 })
        let exact = Set(tags.map { Array($0.utf8) })
        return { tag in
            let composed = tag.composed
            return exact.contains(Array(composed.utf8)) ? composed : spellings[FileNames.folded(tag)] ?? composed
        }
    }

    private static func flaw(_ note: MovedNote) -> MoveRemark.Reason? {
        if note.isInTrash, note.title.isEmpty, note.body.isEmpty, note.tags.isEmpty { return .empty }
        if note.title.utf8.contains(0) || note.body.utf8.contains(0) { return .unfitText }
        if note.title.utf8.count > longestTitle { return .longTitle }
        return note.body.utf8.count > longestBody ? .longBody : nil
    }

    private static func isTag(_ tag: String) -> Bool {
        (1...longestTag).contains(tag.unicodeScalars.count)
            && !tag.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
