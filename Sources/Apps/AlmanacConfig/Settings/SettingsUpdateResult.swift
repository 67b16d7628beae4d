/// How one source fared.
public struct SettingsUpdateResult: Sendable {
    public let source: String
    /// The keys it gave, those that no setting is registered for included; or why it gave none.
    public let outcome: Result<Set<String>, any Error>
}
