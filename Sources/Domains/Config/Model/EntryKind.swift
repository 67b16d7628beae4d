/// What the value of an entry is.
enum EntryKind: String, Sendable {
    /// A value that apps read as it is.
    case value
    /// The definition of a feature flag, in flagd's format.
    case flag
    /// What all flags share: how splits are made, rules that several refer to, and metadata.
    case flagSet = "flag-set"

    /// The one key that has, and alone may have, the kind `flag-set`.
    static let flagSetKey = "_flags"

    /// That of an entry which a write makes or changes.
    ///
    /// - Parameters:
    ///   - asked: what the writer says; nil keeps what there is.
    ///   - present: that of the entry as it is; nil where there is none.
    static func resolved(_ asked: EntryKind?, of key: String, present: EntryKind?) throws(ConfigRefusal) -> EntryKind {
        let kind = asked ?? present ?? (key == flagSetKey ? .flagSet : .value)
        // An entry that had the key before flags were known stays what it is until it is gone.
        guard (kind == .flagSet) == (key == flagSetKey) || asked == nil else { throw .kindOfOtherKey(kind, key) }
        return kind
    }
}
