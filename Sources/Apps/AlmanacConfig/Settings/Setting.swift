/// A property that is a setting.
///
/// ```swift
/// struct Player {
///     @Setting("volume", in: settings) var volume = 0.5
/// }
/// ```
///
/// The value behind the equals sign stands in where there is a mistake in the code: a key that is not registered, or
/// not with this type.
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    private let settings: SettingsStore
    private let key: SettingKey
    private let fallback: Value

    public init(wrappedValue: Value, _ key: SettingKey, in settings: SettingsStore) {
        self.settings = settings
        self.key = key
        fallback = wrappedValue
    }

    public var wrappedValue: Value {
        get { settings[key, default: fallback] }
        nonmutating set { settings.set(newValue, for: key) }
    }
}
