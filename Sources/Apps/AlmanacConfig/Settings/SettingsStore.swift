internal import Foundation
public import Observation
internal import Synchronization

/// The settings of an app, each registered with a default before use.
///
/// A setting's value is the set value, the value of the last source that has one, or the registered default.
///
/// ```swift
/// let settings = try SettingsStore {
///     ReadOnlySetting("api.timeout", default: 10.0)
///     TransientSetting("debug.overlay", default: false, releaseLocked: true)
///     UserDefaultSetting("volume", default: 0.5)
/// }
/// ```
///
/// The store is observable: a view that reads a setting is updated when that setting changes.
public final class SettingsStore: Sendable, Observable {
    /// True in a release build, which locks some settings and does not stop at a mistake in the app's code.
    let isRelease: Bool
    /// The registered settings. Settings are never removed.
    private let settings = Mutex<[SettingKey: any SettingConfiguration]>([:])
    let layers: Mutex<SettingsLayers>
    /// A replacement for every setting's storage, for previews.
    private let substitute: (any SettingStorage)?
    /// The problems reported so far, so that each is reported once.
    private let reported = Mutex<Set<SettingsProblem>>([])
    private let receive: @Sendable (SettingsProblem) -> Void
    let broadcaster = ChangeBroadcaster()
    let registrar = ObservationRegistrar()
    /// The stored values at the last check, to detect changes by others.
    let stored = Mutex<[SettingKey: ConfigJSON]>([:])
    /// The observer of user defaults; nil in previews.
    private let watch = Mutex<UserDefaultsObserver?>(nil)

    /// Registers the settings of an app.
    ///
    /// - Parameters:
    ///   - isRelease: the kind of build, for tests; nil uses the build configuration of this library.
    ///   - sources: sources of defaults that apply at once, without ``update(from:)``.
    ///   - report: receives each problem once. Without it, a mistake in the app's code stops a development build,
    ///     which logs the other problems.
    ///   - settings: all settings of the app, or the first ones; see ``register(from:_:)``.
    /// - Throws: ``SettingsProblem/registeredTwice(key:)``, ``SettingsProblem/noDefault(key:)``, or the error of a
    ///   source.
    public convenience init(
        isRelease: Bool? = nil, from sources: [any ImmediateSettingsSource] = [],
        report: (@Sendable (SettingsProblem) -> Void)? = nil,
        @SettingsBuilder _ settings: () -> [any SettingConfiguration]
    ) throws {
        self.init(isRelease: isRelease, layers: SettingsLayers(), substitute: nil, report: report)
        try register(from: sources, settings)
        let watch = UserDefaultsObserver { [weak self] in self?.refresh() }
        self.watch.withLock { $0 = watch }
    }

    /// Creates a store for previews and tests that neither reads nor changes the device's storage.
    ///
    /// - Parameters:
    ///   - values: values that override the defaults.
    ///   - settings: the settings of the app.
    /// - Throws: ``SettingsProblem/registeredTwice(key:)`` or ``SettingsProblem/noDefault(key:)``.
    public convenience init(
        preview values: ConfigDefaults, @SettingsBuilder _ settings: () -> [any SettingConfiguration]
    ) throws {
        var layers = SettingsLayers()
        _ = layers.apply(values.all, from: "preview")
        self.init(isRelease: false, layers: layers, substitute: MemorySettingStorage(), report: nil)
        try register(settings)
    }

    private init(
        isRelease: Bool?, layers: SettingsLayers, substitute: (any SettingStorage)?,
        report: (@Sendable (SettingsProblem) -> Void)?
    ) {
        #if DEBUG
            let isRelease = isRelease ?? false
        #else
            let isRelease = isRelease ?? true
        #endif
        self.isRelease = isRelease
        self.layers = Mutex(layers)
        self.substitute = substitute
        receive =
            report ?? { problem in
                if problem.isMistakeInCode, !isRelease { preconditionFailure(problem.description) }
                DebugLog.write(problem, library: "AlmanacConfig")
            }
    }

    deinit { broadcaster.finish() }

    /// Registers more settings, for example of a module that is loaded later.
    ///
    /// - Parameters:
    ///   - sources: sources of defaults, also for settings registered without one. Later sources take precedence.
    ///   - settings: settings with new keys.
    /// - Throws: ``SettingsProblem/registeredTwice(key:)``, ``SettingsProblem/noDefault(key:)``, or the error of a
    ///   source. Then none of the settings is registered.
    public func register(
        from sources: [any ImmediateSettingsSource] = [], @SettingsBuilder _ settings: () -> [any SettingConfiguration]
    ) throws {
        var given: [(name: String, values: [String: ConfigJSON])] = []
        for source in sources { given.append((source.name, try source.values())) }
        var new: [SettingKey: any SettingConfiguration] = [:]
        for setting in settings() {
            if new.updateValue(setting, forKey: setting.key) != nil {
                throw SettingsProblem.registeredTwice(key: setting.key)
            }
        }
        let known = self.settings.withLock { $0 }
        if let key = new.keys.first(where: { known[$0] != nil }) { throw SettingsProblem.registeredTwice(key: key) }
        let before = layers.withLock { $0 }
        var after = before
        for (name, values) in given { _ = after.apply(values, from: name) }
        for setting in new.values { after.keepDefault(of: setting) }
        for setting in new.values where !after.hasDefault(for: setting) {
            throw SettingsProblem.noDefault(key: setting.key)
        }
        layers.withLock { [after] in $0 = after }
        self.settings.withLock { $0.merge(new) { $1 } }
        for setting in new.values {
            let value = storedValue(setting)
            stored.withLock { $0[setting.key] = value }
        }
        changed(Set(new.keys).union(known.keys))
    }

    /// The keys of all settings.
    public var keys: Set<SettingKey> { Set(settings.withLock { $0.keys }) }

    /// Returns the value of a setting as its registered type.
    ///
    /// - Returns: nil if the key is not registered, or is registered with another type; both are reported.
    public func value<Value: Codable & Sendable>(_ key: SettingKey, as type: Value.Type = Value.self) -> Value? {
        observe(key)
        guard let setting = setting(key, as: type) else { return nil }
        if let stored = storedValue(setting), let value = decode(stored, from: "the device", for: setting) {
            return value
        }
        return defaultValue(setting)
    }

    /// The value of a setting. An unregistered key or a wrong type is reported, and the key's default is used.
    public subscript<Value: Codable & Sendable>(key: ConfigKey<Value>) -> Value {
        get { value(SettingKey(key)) ?? key.defaultValue }
        set { set(newValue, for: key) }
    }

    /// Returns the value of a setting. An unregistered key or a wrong type is reported, and the fallback is returned.
    public subscript<Value: Codable & Sendable>(key: SettingKey, default fallback: Value) -> Value {
        value(key) ?? fallback
    }

    /// The value of a setting. Setting nil restores the default.
    public subscript<Value: Codable & Sendable>(key: SettingKey) -> Value? {
        get { value(key) }
        set {
            if let newValue { set(newValue, for: key) } else { reset(key) }
        }
    }

    /// Sets a value that overrides the default. Returns false and reports the problem on failure.
    @discardableResult public func set<Value: Codable & Sendable>(_ value: Value, for key: ConfigKey<Value>) -> Bool {
        set(value, for: SettingKey(key))
    }

    /// Sets a value that overrides the default. Returns false and reports the problem on failure.
    @discardableResult public func set<Value: Codable & Sendable>(_ value: Value, for key: SettingKey) -> Bool {
        guard let setting = setting(key, as: Value.self) else { return false }
        guard let storage = storage(of: setting), !isLocked(setting) else {
            report(.locked(key: setting.key))
            return false
        }
        return store(key, in: storage) { try ConfigJSON(encoding: value) }
    }

    /// Removes the set value, so that the default applies. Returns false and reports the problem on failure.
    @discardableResult public func reset(_ key: SettingKey) -> Bool {
        guard let setting = setting(key) else {
            report(.unregistered(key: key))
            return false
        }
        guard let storage = storage(of: setting) else { return true }
        return store(key, in: storage) { nil }
    }

    /// Removes the set value, so that the default applies. Returns false and reports the problem on failure.
    @discardableResult public func reset(_ key: ConfigKey<some Codable & Sendable>) -> Bool { reset(SettingKey(key)) }

    private func store(
        _ key: SettingKey, in storage: any SettingStorage, _ value: () throws -> ConfigJSON?
    ) -> Bool {
        do {
            try storage.set(value(), of: key)
        } catch {
            report(.storeFailed(key: key, reason: "\(error)"))
            return false
        }
        changed([key])
        return true
    }
}

extension SettingsStore {
    func setting(_ key: SettingKey) -> (any SettingConfiguration)? { settings.withLock { $0[key] } }

    private func setting<Value>(_ key: SettingKey, as type: Value.Type) -> (any SettingConfiguration<Value>)? {
        guard let setting = setting(key) else {
            report(.unregistered(key: key))
            return nil
        }
        guard let setting = setting as? any SettingConfiguration<Value> else {
            report(.typeMismatch(key: key, registered: setting.typeName, used: "\(Value.self)"))
            return nil
        }
        return setting
    }

    private func storage(of setting: any SettingConfiguration) -> (any SettingStorage)? {
        setting.storage.map { substitute ?? $0 }
    }

    private func isLocked(_ setting: any SettingConfiguration) -> Bool { isRelease && setting.releaseLocked }

    func storedValue(_ setting: any SettingConfiguration) -> ConfigJSON? {
        isLocked(setting) ? nil : storage(of: setting)?.value(of: setting.key)
    }

    private func defaultValue<Value>(_ setting: some SettingConfiguration<Value>) -> Value? {
        for (name, value) in layers.withLock({ $0.values(of: setting.key) }) {
            if let value = decode(value, from: name, for: setting) { return value }
        }
        return setting.defaultValue
    }

    private func decode<Value>(
        _ value: ConfigJSON, from origin: String, for setting: some SettingConfiguration<Value>
    ) -> Value? {
        if let decoded = value.setting(as: Value.self) { return decoded }
        report(.invalidValue(key: setting.key, origin: origin, expected: "\(Value.self)"))
        return nil
    }

    func report(_ problem: SettingsProblem) {
        if reported.withLock({ $0.insert(problem).inserted }) { receive(problem) }
    }
}

extension SettingConfiguration {
    fileprivate var typeName: String { "\(Value.self)" }
}
