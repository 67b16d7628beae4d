/// A wrong use of a setting, or a value of the wrong type in a source or a storage.
public enum SettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key is not registered.
    case unregistered(key: SettingKey)
    /// The key is registered twice.
    case registeredTwice(key: SettingKey)
    /// The setting is read or set with a type other than the registered type.
    case typeMismatch(key: SettingKey, registered: String, used: String)
    /// A value from a source or the device has the wrong type, so the next lower layer applies.
    case invalidValue(key: SettingKey, origin: String, expected: String)
    /// A setting without a default has no usable value in any source.
    case noDefault(key: SettingKey)
    /// The value could not be stored, so the previous value remains.
    case storeFailed(key: SettingKey, reason: String)
    /// The setting is read-only, or locked in release builds.
    case locked(key: SettingKey)

    /// The message for a log, in one line.
    public var description: String {
        switch self {
        case .unregistered(let key): "the setting \(key) is used but not registered; register it first"
        case .registeredTwice(let key): "the setting \(key) is registered twice; register it once"
        case .typeMismatch(let key, let registered, let used):
            "the setting \(key) is registered as \(registered), but used as \(used)"
        case .invalidValue(let key, let origin, let expected):
            "expected \(expected) for the setting \(key) from \(origin)"
        case .noDefault(let key): "the setting \(key) has no default, and no source has one"
        case .storeFailed(let key, let reason): "the setting \(key) could not be stored: \(reason)"
        case .locked(let key): "the setting \(key) is read-only in this build"
        }
    }

    /// True if the cause is a mistake in the app's code.
    var isMistakeInCode: Bool {
        switch self {
        case .unregistered, .registeredTwice, .typeMismatch, .noDefault, .locked: true
        case .invalidValue, .storeFailed: false
        }
    }
}
