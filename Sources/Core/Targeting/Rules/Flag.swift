/// A flag of a set, ready for evaluation.
public struct Flag: Sendable {
    /// Whether it is switched on; one that isn't gives no value.
    public let isEnabled: Bool
    /// The values that the flag may have, in the order in which they were written.
    public let variants: [Variant]
    /// The place of the variant for whom no rule picks one.
    public let defaultVariant: Int?
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
        variants = draft.named.members.map { Variant(name: $0.name, value: $0.value) }
        defaultVariant = draft.defaultVariant
        details = Details(draft)
    }

    /// What callers call the flag.
    public var key: String { details.draft.key }

    /// The flag's own metadata.
    public var ownMetadata: FlagObject { details.draft.ownMetadata }

    /// The flag's metadata, and below it the set's.
    public var metadata: FlagObject {
        let (own, shared) = (details.draft.ownMetadata, details.draft.setMetadata)
        if own.members.isEmpty { return shared }
        return FlagObject(own.members + shared.members.filter { own[$0.name] == nil }) ?? own
    }

    /// A member of ``metadata``.
    public func metadata(_ name: String) -> FlagValue? {
        details.draft.ownMetadata[name] ?? details.draft.setMetadata[name]
    }

    /// Whether its answers may change when only time passes.
    public var readsTime: Bool { details.draft.readsTime }

    /// The flags that its rule asks for, by their places in the set.
    public var dependencies: [Int] { details.draft.dependencies }

    /// The place of a variant.
    func index(ofVariant name: String) -> Int? { details.draft.named.index(of: name) }

    /// Why it can't be evaluated.
    public var fault: FlagFault? { details.draft.fault }

    /// A default that is no variant, which is an error only where it is asked for.
    var badDefault: String? { details.draft.badDefault }
}

/// What evaluating a flag takes, without any reference.
struct FlagHead: Sendable {
    /// Whether it is switched on. Whether one without variants is isn't known: it is broken.
    let isEnabled: Bool
    /// Whether something must be looked up in the flag.
    let hasFault: Bool
    /// The place of the variant for whom no rule picks one, or -1.
    let defaultVariant: Int32
    /// The rule's place in the program, or -1.
    let root: Int32
    /// The hash of a caller's key, as far as the flag's key goes into it.
    let hash: Murmur3

    init(_ draft: FlagDraft, _ version: FractionalVersion) {
        isEnabled = draft.isEnabled || draft.named.members.isEmpty
        hasFault = draft.fault != nil || draft.badDefault != nil
        defaultVariant = Int32(draft.defaultVariant ?? -1)
        root = draft.rule?.root ?? -1
        hash = Murmur3(flag: draft.key, version)
    }
}

extension Murmur3 {
    /// The hash of a flag's and a caller's keys, without the caller's.
    init(flag key: String, _ version: FractionalVersion) {
        switch version {
        case .version2: add(key)
        case .version3:
            add(arrayOf: 2)
            add(cbor: key)
        }
    }
}

/// A flag in the making.
struct FlagDraft: Sendable {
    let key: String
    var isEnabled = false
    var named = FlagObject()
    var defaultVariant: Int?
    var badDefault: String?
    /// Of the flag itself, and of the set.
    var ownMetadata = FlagObject()
    var setMetadata: FlagObject
    var rule: CompiledRule?
    var readsTime = false
    var dependencies: [Int] = []
    var fault: FlagFault?
}
