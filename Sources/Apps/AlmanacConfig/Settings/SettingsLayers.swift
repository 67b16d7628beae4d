/// What sources gave, the latest over those before.
///
/// Invariant: `names` has each source of `values` once, the latest last.
struct SettingsLayers: Sendable {
    private var names: [String] = []
    private var values: [String: [String: ConfigJSON]] = [:]
    /// The first defaults of settings that are registered without one; they hold where no source has a value any more.
    private var first: [SettingKey: (source: String, value: ConfigJSON)] = [:]

    /// Puts all values of a source in the place of those it gave before.
    ///
    /// - Returns: the keys whose values may be others now.
    mutating func take(_ new: [String: ConfigJSON], from source: String) -> Set<SettingKey> {
        let old = values[source] ?? [:]
        // A source that comes later than before may hide others now.
        let isLast = names.last.map { $0.utf8.elementsEqual(source.utf8) } ?? false
        let keys = Set(old.keys).union(new.keys).filter { !isLast || old[$0] != new[$0] }
        names.removeAll { $0.utf8.elementsEqual(source.utf8) }
        names.append(source)
        values[source] = new
        return Set(keys.map { SettingKey($0) })
    }

    /// The values of a key with the names of their sources, the one that counts first.
    func values(of key: SettingKey) -> [(source: String, value: ConfigJSON)] {
        let given = names.reversed().compactMap { name in values[name]?[key.name].map { (source: name, value: $0) } }
        return given + (first[key].map { [$0] } ?? [])
    }

    /// Remembers what a setting has for a default that is registered without one.
    mutating func keepDefault<Value>(of setting: some SettingConfiguration<Value>) {
        guard setting.defaultValue == nil else { return }
        first[setting.key] = values(of: setting.key).first { $0.value.setting(as: Value.self) != nil }
    }

    /// Whether a setting always has a value.
    func hasDefault(for setting: some SettingConfiguration) -> Bool {
        setting.defaultValue != nil || first[setting.key] != nil
    }
}
