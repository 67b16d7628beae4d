internal import Foundation

/// Keeps values in `UserDefaults`, as what they are there: texts, numbers and flags as themselves, the rest as JSON.
///
/// So the Settings app of a device, and `defaults` in a terminal, can read and set them.
public struct UserDefaultsStorage: SettingStorage {
    private let suite: String?

    /// - Parameter suite: the name of an app group; nil for the app itself.
    public init(suite: String? = nil) {
        self.suite = suite
    }

    public func value(of key: String) -> ConfigValue? {
        defaults.object(forKey: key).flatMap { PropertyListValue.value($0) }
    }

    public func set(_ value: ConfigValue?, of key: String) {
        guard let value else { return defaults.removeObject(forKey: key) }
        switch value.kind {
        case .string: defaults.set(value.string, forKey: key)
        case .bool: defaults.set(value.bool, forKey: key)
        // Numbers that a property list could not hold exactly stay as they are written.
        case .number where value.int.map { "\($0)" } == value.json: defaults.set(value.int, forKey: key)
        case .number where value.double.map { "\($0)" } == value.json: defaults.set(value.double, forKey: key)
        case .number, .array, .object: defaults.set(Data(value.json.utf8), forKey: key)
        }
    }

    /// Made anew each time: the objects of one suite share their values, and are not marked as safe to share.
    private var defaults: UserDefaults {
        suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard
    }
}
