/// What a fetch found.
public enum ConfigFetch: Sendable, Equatable {
    /// These keys have another value than before, or none.
    case changed(Set<String>)
    /// The server has nothing new.
    case unchanged
    /// The last answer is younger than the minimum interval; the server was not asked.
    case recent
}
