/// The values of all sources; later sources override earlier ones.
///
/// Invariant: `names` contains each source of `values` once, in the order of the latest updates.
struct SettingsLayers: Sendable {
    private var names: [String] = []
    private var values: [String: [String: ConfigJSON]] = [:]
    /// The first defaults of settings that are registered without one, for use when no source has a value.
    private var first: [SettingKey: (source: String, value: ConfigJSON)] = [:]

    /// Replaces all values of a source. Returns the keys whose effective values may have changed.
    mutating func apply(_ new: [String: ConfigJSON], from source: String) -> Set<SettingKey> {
        let old = values[source] ?? [:]
        // The source moves to the top, so its unchanged values may now override other sources.
        let isLast = names.last.map { $0.utf8.elementsEqual(source.utf8) } ?? false
        let keys = Set(old.keys).union(new.keys).filter { !isLast || old[$0] != new[$0] }
        names.removeAll { $0.utf8.elementsEqual(source.utf8) }
        names.append(source)
        values[source] = new
        return Set(keys.map { SettingKey($0) })
    }

    /// Returns the values of a key with their sources, in the order of precedence.
    func values(of key: SettingKey) -> [(source: String, value: ConfigJSON)] {
        let given = names.reversed().compactMap { name in values[name]?[key.name].map { (source: name, value: $0) } }
        return given + (first[key].map { [$0] } ?? [])
    }

    /// Records the default of a setting that is registered without one.
    mutating func keepDefault<Value>(of setting: some SettingConfiguration<Value>) {
        guard setting.defaultValue == nil else { return }
        first[setting.key] = values(of: setting.key).first { $0.value.setting(as: Value.self) != nil }
    }

    func hasDefault(for setting: some SettingConfiguration) -> Bool {
        setting.defaultValue != nil || first[setting.key] != nil
    }
}
