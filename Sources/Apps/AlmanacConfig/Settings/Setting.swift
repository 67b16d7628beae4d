#if canImport(SwiftUI)
    public import SwiftUI
#endif

/// A property wrapper for a setting.
///
/// ```swift
/// struct Player {
///     @Setting(.volume, in: settings) var volume: Double
/// }
/// ```
///
/// In a SwiftUI view the store may come from the environment, `.environment(settings)`, and `$volume` is a binding:
/// `Slider(value: $volume)`. Elsewhere `$volume` is the setting itself.
@propertyWrapper public struct Setting<Value: Codable & Sendable>: Sendable {
    /// The key of the setting.
    public let key: SettingKey
    private let fallback: Value
    private let given: SettingsStore?

    #if canImport(SwiftUI)
        @Environment(SettingsStore.self) private var inherited: SettingsStore?
    #endif

    /// Creates a property for a typed key, whose default is used if the setting is registered incorrectly.
    public init(_ key: ConfigKey<Value>, in settings: SettingsStore) {
        self.key = SettingKey(key)
        fallback = key.defaultValue
        given = settings
    }

    /// Creates a property for a key.
    ///
    /// - Parameter wrappedValue: the value to use if the key is not registered, or is registered with another type.
    public init(wrappedValue: Value, _ key: SettingKey, in settings: SettingsStore) {
        self.key = key
        fallback = wrappedValue
        given = settings
    }

    private var settings: SettingsStore? {
        #if canImport(SwiftUI)
            given ?? inherited
        #else
            given
        #endif
    }

    /// The value of the setting. Setting it overrides the default.
    public var wrappedValue: Value {
        get { settings?[key, default: fallback] ?? fallback }
        nonmutating set { settings?.set(newValue, for: key) }
    }

    /// Removes the set value, so that the default applies.
    public func reset() { settings?.reset(key) }

    #if canImport(SwiftUI)
        /// A binding to the setting for a control.
        public var projectedValue: Binding<Value> {
            let (settings, key, fallback) = (settings, key, fallback)
            return Binding(get: { settings?[key, default: fallback] ?? fallback }, set: { settings?.set($0, for: key) })
        }
    #else
        /// The setting itself.
        public var projectedValue: Setting { self }
    #endif
}

#if canImport(SwiftUI)
    extension Setting: DynamicProperty {
        /// Creates a property for a typed key in the store of the view's environment.
        public init(_ key: ConfigKey<Value>) {
            self.key = SettingKey(key)
            fallback = key.defaultValue
            given = nil
        }
    }
#endif
