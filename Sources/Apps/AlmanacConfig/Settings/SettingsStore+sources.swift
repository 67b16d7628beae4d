internal import Synchronization

extension SettingsStore {
    /// Reads the sources in order and uses their values as defaults. Later sources override earlier ones.
    ///
    /// If a source fails, its previous values remain and the next source is read.
    @discardableResult public func update(from sources: [any SettingsSource]) async -> [SettingsUpdateResult] {
        var results: [SettingsUpdateResult] = []
        for source in sources {
            do {
                let values = try await source.values()
                apply(values, from: source.name)
                results.append(SettingsUpdateResult(source: source.name, outcome: .success(Set(values.keys))))
            } catch let stale as StaleSettings {
                apply(stale.values, from: source.name)
                results.append(SettingsUpdateResult(source: source.name, outcome: .failure(stale.cause)))
            } catch {
                results.append(SettingsUpdateResult(source: source.name, outcome: .failure(error)))
            }
        }
        return results
    }

    private func apply(_ values: [String: ConfigJSON], from source: String) {
        changed(layers.withLock { $0.apply(values, from: source) })
    }
}
