#if canImport(SwiftUI)
    public import SwiftUI
#endif

/// A property that is a setting.
///
/// ```swift
/// struct Player {
///     @Setting(.volume, in: settings) var volume: Double
/// }
/// ```
///
/// In a view of SwiftUI the container may come from the environment, `.environment(settings)`, and `$volume` is a
/// binding: `Slider(value: $volume)`. Elsewhere `$volume` is the setting itself.
@propertyWrapper
public struct Setting<Value: Codable & Sendable>: Sendable {
    /// Names the setting.
    public let key: SettingKey
    private let fallback: Value
    private let given: SettingsStore?

    #if canImport(SwiftUI)
        @Environment(SettingsStore.self) private var inherited: SettingsStore?
    #endif

    /// Makes a property of a typed key, whose default stands in where there is a mistake in the code.
    public init(_ key: ConfigKey<Value>, in settings: SettingsStore) {
        self.key = SettingKey(key)
        fallback = key.defaultValue
        given = settings
    }

    /// Makes a property of a key.
    ///
    /// - Parameter wrappedValue: stands in where there is a mistake in the code: a key that is not registered, or not
    ///   with this type.
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

    /// The setting's value; setting it goes over the default.
    public var wrappedValue: Value {
        get { settings?[key, default: fallback] ?? fallback }
        nonmutating set { settings?.set(newValue, for: key) }
    }

    /// Forgets the value that was set, so that the default holds.
    public func reset() {
        settings?.reset(key)
    }

    #if canImport(SwiftUI)
        /// Reads and sets the setting for a control.
        public var projectedValue: Binding<Value> {
            let (settings, key, fallback) = (settings, key, fallback)
            return Binding(
                get: { settings?[key, default: fallback] ?? fallback }, set: { settings?.set($0, for: key) })
        }
    #else
        /// The setting itself.
        public var projectedValue: Setting { self }
    #endif
}

#if canImport(SwiftUI)
    extension Setting: DynamicProperty {
        /// Makes a property of a typed key, in the container that the view's environment has.
        public init(_ key: ConfigKey<Value>) {
            self.key = SettingKey(key)
            fallback = key.defaultValue
            given = nil
        }
    }
#endif
