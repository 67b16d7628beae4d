/// Gives defaults that take the place of the registered ones.
public protocol SettingsSource: Sendable {
    /// Tells the source from others: what it gave last is replaced by what it gives next.
    var name: String { get }
    /// All values of the source; a key that it no longer has falls back to what is below.
    func values() async throws -> [String: ConfigValue]
}
