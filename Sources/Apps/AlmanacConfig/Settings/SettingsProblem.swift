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
    /// No source had a usable value for a setting that is registered without a default.
    case noDefault(key: SettingKey)
    /// The value could not be stored, so the one before still counts.
    case notStored(key: SettingKey, reason: String)
    /// The setting can't be set: it is read-only, or locked in release builds.
    case locked(key: SettingKey)

    /// One line for a log.
    public var description: String {
        switch self {
        case .unregistered(let key): "expected the setting \(key) to be registered before it is used"
        case .registeredTwice(let key): "expected the setting \(key) to be registered once"
        case .mistyped(let key, let registered, let used):
            "expected the setting \(key) to be used as \(registered), the type it is registered with, not as \(used)"
        case .unusable(let key, let origin, let expected):
            "expected \(expected) for the setting \(key) from \(origin)"
        case .noDefault(let key): "expected a source with a default for the setting \(key), which has none of its own"
        case .notStored(let key, let reason): "expected to store the setting \(key): \(reason)"
        case .locked(let key): "expected the setting \(key) to be left alone: it can't be set in this build"
        }
    }

    /// Whether it is the app's code that is wrong.
    var isMistakeInCode: Bool {
        switch self {
        case .unregistered, .registeredTwice, .mistyped, .noDefault, .locked: true
        case .unusable, .notStored: false
        }
    }
}
