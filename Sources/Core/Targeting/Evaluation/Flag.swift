/// A flag of a set, ready for evaluation.
public struct Flag: Sendable {
    /// Whether it is switched on; one that isn't gives no value.
    public let isEnabled: Bool
    /// The values that the flag may have, in the order in which they were written.
    public let variants: [Variant]
    /// The place of the variant for whom no rule picks one.
    public let defaultVariant: Int?
    /// The rule's place in the program.
    let root: Int32?
    /// Whether something must be looked up in the details.
    let hasFault: Bool
    private let details: Details

    /// One of the values that a flag may have.
    public struct Variant: Sendable {
        /// What rules call it.
        public let name: String
        /// What a caller gets.
        public let value: FlagValue
    }

    /// What evaluating seldom needs, so that a flag is handed on quickly.
    private final class Details: Sendable {
        let draft: FlagDraft

        init(_ draft: FlagDraft) { self.draft = draft }
    }

    init(_ draft: FlagDraft) {
        isEnabled = draft.isEnabled
        variants = draft.variants
        defaultVariant = draft.defaultVariant
        root = draft.rule?.root
        hasFault = draft.fault != nil || draft.badDefault != nil
        details = Details(draft)
    }

    /// What callers call the flag.
    public var key: String { details.draft.key }

    /// The flag's metadata, and below it the set's.
    public var metadata: FlagObject { details.draft.metadata }

    /// Whether its answers may change when only time passes.
    public var readsTime: Bool { details.draft.readsTime }

    /// The flags that its rule asks for, by their places in the set.
    public var dependencies: [Int] { details.draft.dependencies }

    /// Why it can't be evaluated.
    public var fault: FlagFault? { details.draft.fault }

    /// A default that is no variant, which is an error only where it is asked for.
    var badDefault: String? { details.draft.badDefault }
}

/// A flag in the making.
struct FlagDraft: Sendable {
    let key: String
    var isEnabled = false
    var variants: [Flag.Variant] = []
    var defaultVariant: Int?
    var badDefault: String?
    var metadata: FlagObject
    var rule: CompiledRule?
    var readsTime = false
    var dependencies: [Int] = []
    var fault: FlagFault?
}
