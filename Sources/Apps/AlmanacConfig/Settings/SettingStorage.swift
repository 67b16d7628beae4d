internal import Foundation
internal import Synchronization

/// Keeps the values that were set, as JSON.
public protocol SettingStorage: Sendable {
    /// - Returns: nil when none was set.
    func value(of key: SettingKey) -> ConfigJSON?
    /// - Parameter value: nil removes it.
    func set(_ value: ConfigJSON?, of key: SettingKey)
}

/// Keeps values until the app ends.
public final class MemorySettingStorage: SettingStorage {
    /// The values that were set.
    private let values = Mutex<[SettingKey: ConfigJSON]>([:])

    public init() {}

    public func value(of key: SettingKey) -> ConfigJSON? { values.withLock { $0[key] } }

    public func set(_ value: ConfigJSON?, of key: SettingKey) { values.withLock { $0[key] = value } }
}

/// Keeps values in `UserDefaults`, as what they are there: texts, numbers and flags as themselves, the rest as JSON.
///
/// So the Settings app of a device, and `defaults` in a terminal, can read and set them.
public struct UserDefaultsSettingStorage: SettingStorage {
    private let suite: String?

    /// - Parameter suite: the name of an app group; nil for the app itself.
    public init(suite: String? = nil) {
        self.suite = suite
    }

    public func value(of key: SettingKey) -> ConfigJSON? {
        defaults.object(forKey: key.name).flatMap { ConfigJSON(propertyList: $0) }
    }

    public func set(_ value: ConfigJSON?, of key: SettingKey) {
        guard let value else { return defaults.removeObject(forKey: key.name) }
        switch value.kind {
        case .string: defaults.set(value.string, forKey: key.name)
        case .bool: defaults.set(value.bool, forKey: key.name)
        // Numbers that a property list could not hold exactly stay as they are written.
        case .number where value.int.map { "\($0)" } == value.json: defaults.set(value.int, forKey: key.name)
        case .number where value.double.map { "\($0)" } == value.json: defaults.set(value.double, forKey: key.name)
        case .number, .array, .object: defaults.set(Data(value.json.utf8), forKey: key.name)
        }
    }

    /// Made anew each time: the objects of one suite share their values, and are not marked as safe to share.
    private var defaults: UserDefaults {
        suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard
    }
}

extension ConfigJSON {
    /// A value of a property list; nil for what neither is JSON nor holds JSON.
    init?(propertyList object: Any) {
        let json: Data
        if let data = object as? Data {
            json = data
        } else if let date = object as? Date {
            self.init(stringLiteral: Self.text(of: date))
            return
        } else {
            guard JSONSerialization.isValidJSONObject([object]),
                let data = try? JSONSerialization.data(
                    withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys])
            else { return nil }
            json = data
        }
        guard let value = try? ConfigJSON(json: json) else { return nil }
        self = value
    }
}
