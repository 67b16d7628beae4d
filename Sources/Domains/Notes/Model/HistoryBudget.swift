internal import AlmanacEnvironments

/// What the texts in an account's history may take.
///
/// Every text that an action writes is kept, the present ones too, until there are too many. Then the texts of one hour
/// become one, those of one day, and at last the oldest go. A note's newest text stays, and so do texts that a person
/// went back to.
///
/// Past texts count towards the bytes of the account, and give way to present ones: these are never refused because of
/// them.
enum HistoryBudget {
    /// The least that the texts of one action count, in bytes, so that their number is bounded as well.
    static let leastBytes: Int64 = 1024
    /// What is thinned out beyond the need, in bytes, so that not every action has to.
    static let slack: Int64 = 256 << 10
    /// The most rows that are looked at to make room for an edit, which is a matter of milliseconds.
    static let rowsForEdit = 1500
    /// The most rows that are looked at before somebody is told that there is no room.
    static let rowsForRestoring = 20_000

    /// What an action adds.
    struct Growth {
        /// To the history, in bytes.
        let history: Int64
        /// To the notes as they are now, in bytes; they aren't counted among the past texts.
        let present: Int64
    }

    /// What a plan adds; nil where it writes neither texts nor tags.
    static func growth(of plan: ActionPlan) -> Growth? {
        let tags = plan.filing?.tags
        let filing = tags?.storedBytes ?? 0
        return switch plan.write {
        case .create(let text, _):
            Growth(history: bytes(text.bytes + filing), present: Int64(text.bytes + (tags?.bytes ?? 0)))
        case .changeText(let title, let body, let growth, _):
            Growth(
                history: bytes((title?.utf8.count ?? 0) + (body?.utf8.count ?? 0) + filing), present: Int64(growth))
        case .repeated, .unchanged, .changePlace, .purge: nil
        }
    }

    /// How many bytes the past texts may have: what the present ones leave of the account's, but never so little that
    /// a mistake in a full account could not be taken back.
    static func limit(of account: Account, after growth: Growth, _ limits: Limits) -> Int64 {
        let rest = limits.accountBytes - (account.bytes + growth.present)
        return min(limits.historyBytes, max(rest, limits.historyBytes / 16))
    }

    /// By how many bytes the past texts will be too many; not above 0 where they fit.
    static func excess(of account: Account, after growth: Growth, limit: Int64) -> Int64 {
        (account.historyBytes ?? 0) + growth.history - (account.bytes + growth.present) - limit
    }

    private static func bytes(_ count: Int) -> Int64 { max(leastBytes, Int64(count)) }
}
