internal import Foundation
internal import Observation
internal import Synchronization

/// What changes, told to views, to readers of ``SettingsStore/updates``, and found where others have stored it.
extension SettingsStore {
    /// Looks for values that others have stored: another process, the Settings app, code that uses `UserDefaults`.
    ///
    /// What changes within the app is noticed without it where Foundation tells, which it does on Apple platforms. Call
    /// it when the app comes to the foreground, for what an extension or another process has changed.
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

    /// Tells that settings may have other values now.
    func changed(_ keys: Set<SettingKey>) {
        for key in keys { registrar.withMutation(of: self, keyPath: \SettingsStore[observed: key]) {} }
        if !keys.isEmpty { broadcaster.send(()) }
    }

    /// Tells that somebody reads a setting.
    func observe(_ key: SettingKey) {
        registrar.access(self, keyPath: \SettingsStore[observed: key])
    }

    /// Stands for one setting, so that only those are told who have read it.
    private subscript(observed key: SettingKey) -> SettingKey { key }

    /// The current value of every setting as JSON.
    func state() -> [SettingKey: ConfigJSON] {
        func json<Value>(_ setting: some SettingConfiguration<Value>) -> ConfigJSON? {
            value(setting.key, as: Value.self).flatMap { try? ConfigJSON(encoding: $0) }
        }
        return keys.reduce(into: [:]) { state, key in state[key] = setting(key).flatMap { json($0) } }
    }
}

/// Hears of every change of user defaults that Foundation tells.
final class UserDefaultsWatch: @unchecked Sendable {
    // Safe because the token never changes and is only given back to the center, which takes it on any thread.
    private let token: any NSObjectProtocol

    init(_ changed: @escaping @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: nil, queue: nil
        ) { _ in changed() }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
