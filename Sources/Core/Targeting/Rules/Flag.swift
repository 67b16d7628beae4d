/// A flag of a set, compiled for evaluation.
public struct Flag: Sendable {
    /// True if the flag is switched on. A flag that is switched off yields the variant that its metadata names as
    /// `almanac.off`, or no value.
    public let isEnabled: Bool
    /// The variants of the flag, in the order of the definition.
    public let variants: [Variant]
    /// The index of the variant used if no rule selects one.
    public let defaultVariant: Int?
    private let details: Details

    /// A variant of a flag.
    public struct Variant: Sendable {
        /// The name used in rules.
        public let name: String
        /// The value that a user gets.
        public let value: FlagValue
    }

    /// The fields that evaluation rarely needs, in a class to make flags cheap to copy.
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

    /// The key of the flag.
    public var key: String { details.draft.key }

    /// The flag's own metadata.
    public var ownMetadata: FlagObject { details.draft.ownMetadata }

    /// The flag's metadata, merged over the set's.
    public var metadata: FlagObject {
        let (own, shared) = (details.draft.ownMetadata, details.draft.setMetadata)
        if own.members.isEmpty { return shared }
        return FlagObject(own.members + shared.members.filter { own[$0.name] == nil }) ?? own
    }

    /// Returns a member of ``metadata``.
    public func metadata(_ name: String) -> FlagValue? {
        details.draft.ownMetadata[name] ?? details.draft.setMetadata[name]
    }

    /// True if the evaluation may change as time passes.
    public var readsTime: Bool { details.draft.readsTime }

    /// True if a rule selects the variant.
    public var hasRule: Bool { details.draft.rule != nil }

    /// The flags that the rule depends on, as indices of the set.
    public var dependencies: [Int] { details.draft.dependencies }

    func index(ofVariant name: String) -> Int? { details.draft.named.index(of: name) }

    /// The breaking fault, or nil if the flag can be evaluated.
    public var fault: FlagFault? { details.draft.fault }

    /// The name of a default that is no variant, which is an error only if the default applies.
    var badDefault: String? { details.draft.badDefault }
}

/// The fields that evaluation needs, without references.
struct FlagHead: Sendable {
    /// True if the flag is switched on, or is faulty because it has no variants.
    let isEnabled: Bool
    let hasFault: Bool
    /// True if every evaluation yields the default variant.
    let isStatic: Bool
    /// The index of the default variant, or -1.
    let defaultVariant: Int32
    /// The index of the variant of the flag while it is switched off, or -1.
    let offVariant: Int32
    /// The root node of the rule in the program, or -1.
    let root: Int32
    /// The hash of the flag's key, to be continued with the targeting key.
    let hash: Murmur3

    init(_ draft: FlagDraft, _ version: FractionalVersion) {
        isEnabled = draft.isEnabled || draft.named.members.isEmpty
        hasFault = draft.fault != nil || draft.badDefault != nil
        defaultVariant = Int32(draft.defaultVariant ?? -1)
        offVariant = Int32(draft.offVariant ?? -1)
        root = draft.rule?.root ?? -1
        isStatic = isEnabled && !hasFault && root < 0 && defaultVariant >= 0
        hash = Murmur3(flag: draft.key, version)
    }
}

extension Murmur3 {
    /// Hashes a flag's key, to be continued with the targeting key.
    init(flag key: String, _ version: FractionalVersion) {
        self.init()
        switch version {
        case .version2: add(key)
        case .version3:
            add(arrayOf: 2)
            add(cbor: key)
        }
    }
}

/// A flag before compilation of the whole set is complete.
struct FlagDraft: Sendable {
    let key: String
    var isEnabled = false
    var named = FlagObject()
    var defaultVariant: Int?
    var badDefault: String?
    var offVariant: Int?
    /// The metadata of the flag, and of the set.
    var ownMetadata = FlagObject()
    var setMetadata: FlagObject
    var rule: CompiledRule?
    var readsTime = false
    var dependencies: [Int] = []
    var fault: FlagFault?
}
