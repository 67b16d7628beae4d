/// The kind of an entry's value.
enum EntryKind: String, Sendable {
    /// A plain value, which apps read as it is.
    case value
    /// The definition of a feature flag, in flagd's format.
    case flag
    /// The settings that all flags share: the split algorithm, named rules and metadata.
    case flagSet = "flag-set"

    /// The only key that may have the kind `flag-set`.
    static let flagSetKey = "_flags"

    /// Returns the kind of an entry after a write.
    ///
    /// - Parameters:
    ///   - requested: The requested kind; nil keeps the current kind.
    ///   - present: The current kind; nil if the entry does not exist.
    static func resolved(_ requested: EntryKind?, of key: String, present: EntryKind?) throws(ConfigRefusal)
        -> EntryKind
    {
        let kind = requested ?? present ?? (key == flagSetKey ? .flagSet : .value)
        // An entry named `_flags` from before flags existed keeps its kind until it is removed.
        guard (kind == .flagSet) == (key == flagSetKey) || requested == nil else { throw .kindNotAllowed(kind, key) }
        return kind
    }
}
