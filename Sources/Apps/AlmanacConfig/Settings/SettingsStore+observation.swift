internal import Foundation
internal import Observation
internal import Synchronization

extension SettingsStore {
    /// Detects values that were stored by another process, the Settings app, or code that uses `UserDefaults`.
    ///
    /// On Apple platforms Foundation reports changes within the app without this call. Call this function when the app
    /// enters the foreground, to detect changes by an extension or another process.
    public func refresh() {
        let settings = keys.compactMap { setting($0) }
        for setting in settings { setting.storage?.refresh() }
        let changes = settings.filter { setting in
            let now = storedValue(setting)
            return stored.withLock { stored in
                defer { stored[setting.key] = now }
                return stored[setting.key] != now
            }
        }
        if !changes.isEmpty { changed(Set(changes.map(\.key))) }
    }

    /// Notifies observers and sequences that settings may have changed.
    func changed(_ keys: Set<SettingKey>) {
        for key in keys { registrar.withMutation(of: self, keyPath: \SettingsStore[observed: key]) {} }
        if !keys.isEmpty { broadcaster.send(()) }
    }

    /// Registers the caller as an observer of a setting.
    func observe(_ key: SettingKey) { registrar.access(self, keyPath: \SettingsStore[observed: key]) }

    /// A placeholder for one setting, so that only its observers are notified.
    private subscript(observed key: SettingKey) -> SettingKey { key }

    /// Returns the current value of every setting as JSON.
    func state() -> [SettingKey: ConfigJSON] {
        func json<Value>(_ setting: some SettingConfiguration<Value>) -> ConfigJSON? {
            value(setting.key, as: Value.self).flatMap { try? ConfigJSON(encoding: $0) }
        }
        return keys.reduce(into: [:]) { state, key in state[key] = setting(key).flatMap { json($0) } }
    }
}

/// An observer of Foundation's notifications about changed user defaults.
final class UserDefaultsObserver: @unchecked Sendable {
    // Safe because the token never changes, and the notification center accepts it on any thread.
    private let token: any NSObjectProtocol

    init(_ changed: @escaping @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: nil, queue: nil
        ) { _ in changed() }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
