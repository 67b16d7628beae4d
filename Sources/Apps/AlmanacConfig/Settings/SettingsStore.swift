internal import Synchronization

/// A mistake in how an app uses its settings, or a value that a source or the device has in the wrong type.
public enum SettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key was never registered.
    case unregistered(key: SettingKey)
    /// Two settings were registered with the same key.
    case registeredTwice(key: SettingKey)
    /// The setting was registered with another type than it is read or set with.
    case mistyped(key: SettingKey, registered: String, used: String)
    /// A value from a source or the device is not of the setting's type; the next layer holds.
    case unusable(key: SettingKey, origin: String, expected: String)
    /// The setting can't be set: it is read-only, or locked in release builds.
    case locked(key: SettingKey)

    public var description: String {
        switch self {
        case .unregistered(let key): "expected the setting \(key) to be registered before it is used"
        case .registeredTwice(let key): "expected the setting \(key) to be registered once"
        case .mistyped(let key, let registered, let used):
            "expected the setting \(key) to be used as \(registered), the type it is registered with, not as \(used)"
        case .unusable(let key, let origin, let expected):
            "expected \(expected) for the setting \(key) from \(origin)"
        case .locked(let key): "expected the setting \(key) to be left alone: it can't be set in this build"
        }
    }

    /// Whether it is the app's code that is wrong.
    var isMistakeInCode: Bool {
        if case .unusable = self { false } else { true }
    }
}

/// All settings of an app in one place, each registered with a default before it is used.
///
/// A setting's value is the one that was set, else that of the last source that has one, else the registered default.
///
/// ```swift
/// let settings = try SettingsStore {
///     ReadOnlySetting("api.timeout", default: 10.0)
///     TransientSetting("debug.overlay", default: false, releaseLocked: true)
///     UserDefaultSetting("volume", default: 0.5)
/// }
/// ```
public final class SettingsStore: Sendable {
    /// The values that sources gave. Invariant: `names` has each source of `values` once, the latest last.
    private struct Layers {
        var names: [String] = []
        var values: [String: [String: ConfigJSON]] = [:]
    }

    /// Whether this is a release build, in which some settings are locked and mistakes don't stop the app.
    let isRelease: Bool
    private let settings: [SettingKey: any SettingConfiguration]
    private let layers = Mutex(Layers())
    /// The problems so far; they only become more.
    private let reported = Mutex<Set<SettingsProblem>>([])
    private let receive: @Sendable (SettingsProblem) -> Void
    /// Says that some value may have changed.
    let broadcaster = ChangeBroadcaster()

    /// - Parameters:
    ///   - isRelease: for tests; nil tells by how the library was built.
    ///   - report: receives each problem once. Without it, a mistake in the app's code stops a development build.
    ///   - settings: every setting of the app.
    /// - Throws: ``SettingsProblem/registeredTwice(key:)``.
    public init(
        isRelease: Bool? = nil, report: (@Sendable (SettingsProblem) -> Void)? = nil,
        @SettingsBuilder _ settings: () -> [any SettingConfiguration]
    ) throws(SettingsProblem) {
        #if DEBUG
            let isRelease = isRelease ?? false
        #else
            let isRelease = isRelease ?? true
        #endif
        self.isRelease = isRelease
        receive =
            report ?? { problem in
                if problem.isMistakeInCode, !isRelease { preconditionFailure(problem.description) }
            }
        var all: [SettingKey: any SettingConfiguration] = [:]
        for setting in settings() {
            if all.updateValue(setting, forKey: setting.key) != nil { throw .registeredTwice(key: setting.key) }
        }
        self.settings = all
    }

    deinit {
        broadcaster.finish()
    }

    /// The keys of all settings.
    public var keys: Set<SettingKey> { Set(settings.keys) }

    /// The value of a setting, of the type it was registered with.
    ///
    /// - Returns: nil for a key that is not registered, or is so with another type; that is reported.
    public func value<Value: Codable & Sendable>(_ key: SettingKey, as type: Value.Type = Value.self) -> Value? {
        guard let setting = setting(key, as: type) else { return nil }
        if let storage = setting.storage, !isLocked(setting), let stored = storage.value(of: setting.key),
            let value = decode(stored, from: "the device", for: setting)
        {
            return value
        }
        return defaultValue(setting)
    }

    /// The value of a setting, or a fallback where there is a mistake in the code, which is reported.
    public subscript<Value: Codable & Sendable>(key: SettingKey, default fallback: Value) -> Value {
        value(key) ?? fallback
    }

    /// The value of a setting. Setting nil brings the default back.
    public subscript<Value: Codable & Sendable>(key: SettingKey) -> Value? {
        get { value(key) }
        set {
            if let newValue { set(newValue, for: key) } else { reset(key) }
        }
    }

    /// Sets a value over the default.
    ///
    /// - Returns: whether it was set; what stands in the way is reported.
    @discardableResult
    public func set<Value: Codable & Sendable>(_ value: Value, for key: SettingKey) -> Bool {
        guard let setting = setting(key, as: Value.self) else { return false }
        guard let storage = setting.storage, !isLocked(setting), let encoded = try? ConfigJSON(encoding: value) else {
            report(.locked(key: setting.key))
            return false
        }
        storage.set(encoded, of: setting.key)
        broadcaster.send(())
        return true
    }

    /// Forgets the value that was set, so that the default holds.
    public func reset(_ key: SettingKey) {
        guard let setting = settings[key] else { return report(.unregistered(key: key)) }
        setting.storage?.set(nil, of: setting.key)
        broadcaster.send(())
    }

    /// Asks the sources for defaults, one after the other. Where several have a key, the later one counts.
    ///
    /// A source that fails keeps the values it gave before, and doesn't stop the next.
    @discardableResult
    public func update(from sources: [any SettingsSource]) async -> [SettingsUpdateResult] {
        var results: [SettingsUpdateResult] = []
        for source in sources {
            do {
                let values = try await source.values()
                take(values, from: source.name)
                results.append(SettingsUpdateResult(source: source.name, outcome: .success(Set(values.keys))))
            } catch let stale as StaleSettings {
                take(stale.values, from: source.name)
                results.append(SettingsUpdateResult(source: source.name, outcome: .failure(stale.cause)))
            } catch {
                results.append(SettingsUpdateResult(source: source.name, outcome: .failure(error)))
            }
        }
        return results
    }

    private func take(_ values: [String: ConfigJSON], from source: String) {
        layers.withLock { layers in
            layers.names.removeAll { $0 == source }
            layers.names.append(source)
            layers.values[source] = values
        }
        broadcaster.send(())
    }

    /// The current value of every setting as JSON.
    func state() -> [SettingKey: ConfigJSON] {
        func json<Value>(_ setting: some SettingConfiguration<Value>) -> ConfigJSON? {
            value(setting.key, as: Value.self).flatMap { try? ConfigJSON(encoding: $0) }
        }
        return settings.values.reduce(into: [:]) { $0[$1.key] = json($1) }
    }

    private func setting<Value>(_ key: SettingKey, as type: Value.Type) -> (any SettingConfiguration<Value>)? {
        guard let setting = settings[key] else {
            report(.unregistered(key: key))
            return nil
        }
        guard let setting = setting as? any SettingConfiguration<Value> else {
            report(.mistyped(key: key, registered: setting.typeName, used: "\(Value.self)"))
            return nil
        }
        return setting
    }

    private func isLocked(_ setting: any SettingConfiguration) -> Bool { isRelease && setting.releaseLocked }

    private func defaultValue<Value>(_ setting: some SettingConfiguration<Value>) -> Value {
        let given = layers.withLock { layers in
            layers.names.reversed().compactMap { name in layers.values[name]?[setting.key.name].map { (name, $0) } }
        }
        for (name, value) in given {
            if let value = decode(value, from: name, for: setting) { return value }
        }
        return setting.defaultValue
    }

    private func decode<Value>(
        _ value: ConfigJSON, from origin: String, for setting: some SettingConfiguration<Value>
    ) -> Value? {
        if let decoded = try? value.decoded(as: Value.self) { return decoded }
        report(.unusable(key: setting.key, origin: origin, expected: "\(Value.self)"))
        return nil
    }

    private func report(_ problem: SettingsProblem) {
        if reported.withLock({ $0.insert(problem).inserted }) { receive(problem) }
    }
}

extension SettingConfiguration {
    fileprivate var typeName: String { "\(Value.self)" }
}
