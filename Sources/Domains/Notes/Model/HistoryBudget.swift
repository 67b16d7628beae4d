internal import AlmanacEnvironments

/// The limit on the texts in an account's history.
///
/// The history contains every text that an action wrote, current ones included. Above the limit, texts of the same hour
/// are thinned out to one, then texts of the same day, and at last the oldest are removed. A note's newest text stays,
/// and so does every text that a person restored.
///
/// Past texts count towards the account's bytes but yield to current texts, which are never refused because of them.
enum HistoryBudget {
    /// The minimum that the texts of one action count, in bytes, so that their number is bounded as well.
    static let minBytesPerAction: Int64 = 1024
    /// The bytes freed beyond the need, so that not every action has to thin the history.
    static let extraFreedBytes: Int64 = 256 << 10
    /// The limit on rows examined to make room for an edit, which takes milliseconds.
    static let maxRowsForEdit = 1500
    /// The limit on rows examined before a restore is refused for lack of room.
    static let maxRowsForRestore = 20_000

    /// The bytes that an action adds to the history and to the current notes.
    struct Growth {
        let history: Int64
        /// Current notes don't count as past texts.
        let present: Int64
    }

    /// Returns the bytes that a plan adds; nil if it writes neither texts nor tags.
    static func growth(of plan: ActionPlan) -> Growth? {
        let tags = plan.metadata?.tags
        let metadata = tags?.storedBytes ?? 0
        return switch plan.write {
        case .create(let text, _):
            Growth(history: bytes(text.bytes + metadata), present: Int64(text.bytes + (tags?.bytes ?? 0)))
        case .changeText(let title, let body, let growth, _):
            Growth(
                history: bytes((title?.utf8.count ?? 0) + (body?.utf8.count ?? 0) + metadata), present: Int64(growth))
        case .duplicate, .unchanged, .changePlace, .purge: nil
        }
    }

    /// Returns the limit on past texts, in bytes: the room that the current texts leave in the account, but at least a
    /// sixteenth of the history's limit, so that a mistake in a full account can be undone.
    static func limit(of account: Account, after growth: Growth, _ limits: Limits) -> Int64 {
        let rest = limits.accountBytes - (account.bytes + growth.present)
        return min(limits.historyBytes, max(rest, limits.historyBytes / 16))
    }

    /// Returns the bytes by which the past texts will exceed the limit; 0 or less if they fit.
    static func excess(of account: Account, after growth: Growth, limit: Int64) -> Int64 {
        (account.historyBytes ?? 0) + growth.history - (account.bytes + growth.present) - limit
    }

    private static func bytes(_ count: Int) -> Int64 { max(minBytesPerAction, Int64(count)) }
}
