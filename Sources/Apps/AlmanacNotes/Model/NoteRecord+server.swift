// What the server tells.
extension NoteRecord {
    /// What became of an action.
    enum Answer: Sendable {
        case taken(Taken)
        case rejected(NoteProblem)
    }

    /// The state of the note on the server after an action of ours.
    struct Taken: Sendable {
        let cursor: Cursor
        /// Nil where it is what was sent.
        var text: NoteText?
        var isInTrash = false
        /// It was removed for good since.
        var isPurged = false
    }

    /// What is to become of the record.
    enum Fate: Sendable, Equatable {
        case kept
        /// Nothing of it is worth keeping any more.
        case gone
    }

    private static let gone = "note-gone"

    /// Takes in the answer to an action; one to another action than that on its way is an old copy, and ignored.
    mutating func answer(_ answer: Answer, to actionID: String) -> Fate {
        guard let flight, flight.actionID == actionID else { return .kept }
        self.flight = nil
        switch answer {
        case .taken(let taken) where taken.isPurged:
            return refused(NoteProblem(type: Self.gone, detail: "the note was removed for good"), flight)
        case .taken(let taken): accepted(taken, flight)
        case .rejected(let problem): return refused(problem, flight)
        }
        return .kept
    }

    private mutating func accepted(_ taken: Taken, _ flight: Flight) {
        switch flight.kind {
        case .create, .update, .spelledUpdate:
            spellsBase = false
            adoptNewer(taken, sent: flight.text)
        case .delete:
            if taken.isInTrash {
                isInServersTrash = true
                heard = max(heard, taken.cursor.revision)
            } else {
                // An edit that the deleter had not seen has brought it back.
                isInTrash = false
                if taken.text != nil { adoptNewer(taken, sent: flight.text) }
            }
        case .restore:
            // The text is told with the next news.
            isInServersTrash = taken.isInTrash
            if taken.isInTrash { putIntoTrash() }
        case .move:
            guard wish?.number == flight.wishNumber else { break }
            if taken.cursor.revision > heard { wish?.acknowledged = taken.cursor.revision } else { wish = nil }
        }
        takeNews()
    }

    private mutating func refused(_ problem: NoteProblem, _ flight: Flight) -> Fate {
        let isGone = problem.type == Self.gone
        switch flight.kind {
        case .move:
            // The place is gone; the note stays where the server has it.
            if wish?.number == flight.wishNumber { wish = nil }
        case .delete where isGone:
            if isInTrash { return .gone }
            self.problem = problem
        case .create where problem.type == "note-exists" && news?.text != nil:
            // The answer to an earlier copy got lost, and others have the note already.
            if let news, let text = news.text {
                self.news = nil
                adopt(text, news.cursor, isInTrash: false, mergingFrom: flight.text, position: news.position)
            }
        case .update where Self.baseProblems.contains(problem.type):
            spellsBase = true
        default:
            if isGone, isInTrash { return .gone }
            self.problem = problem
        }
        takeNews()
        return .kept
    }

    /// The server does not know, or not any more, the revision that an update was based on.
    private static let baseProblems: Set = ["resync", "revision-not-kept", "delta-mismatch"]

    /// Takes in what the server tells of the note; while an action is on its way, that waits.
    mutating func hear(_ news: News) {
        let revision = news.cursor.revision
        guard revision >= heard else { return }
        if flight != nil {
            if revision >= self.news?.cursor.revision ?? 0 { self.news = news }
        } else {
            apply(news)
        }
    }

    private mutating func takeNews() {
        guard let news else { return }
        self.news = nil
        apply(news)
    }

    private mutating func apply(_ news: News) {
        let revision = news.cursor.revision
        if revision == heard, shadow?.cursor.lineage == news.cursor.lineage || news.text == nil {
            // What this device has heard as an answer, now with its place in the list.
            settle(news.position, at: revision)
            return
        }
        guard revision > heard else { return }
        if let text = news.text {
            // A note of the same name that the server never answered for: nothing is known to be common.
            let base = shadow?.text ?? (text == self.text ? text : NoteText())
            adopt(text, news.cursor, isInTrash: false, mergingFrom: base, position: news.position)
            problem = nil
        } else {
            heard = revision
            isInServersTrash = true
            if isClean { putIntoTrash() }
        }
    }

    /// Takes the server's text of an answer, or that of news that are later than the answer.
    private mutating func adoptNewer(_ taken: Taken, sent: NoteText) {
        adopt(taken.text ?? sent, taken.cursor, isInTrash: taken.isInTrash, mergingFrom: sent, position: nil)
    }

    /// Takes a text of the server's, and puts what was written here on top of it.
    ///
    /// - Parameter base: what the server's text and the one here were both made from.
    private mutating func adopt(
        _ server: NoteText, _ cursor: Cursor, isInTrash isTrash: Bool, mergingFrom base: NoteText, position: String?
    ) {
        let merged = NoteText.merged(base: base, theirs: server, mine: text)
        let bringsBack = merged != text || isInServersTrash
        text = merged
        shadow = Shadow(text: server, cursor: cursor)
        heard = max(heard, cursor.revision)
        isInServersTrash = isTrash
        if isTrash {
            if isClean { putIntoTrash() }
        } else if bringsBack {
            // What whoever deleted it had not seen wins.
            isInTrash = false
        }
        settle(position, at: cursor.revision)
    }

    private mutating func settle(_ position: String?, at revision: Int64) {
        guard let position else { return }
        self.position = position
        if let acknowledged = wish?.acknowledged, acknowledged <= revision { wish = nil }
    }
}
