internal import Foundation

/// A storage in `UserDefaults`. Strings, numbers and Booleans are stored as such, other values as JSON.
///
/// The Settings app and the `defaults` command can therefore read and set the values. Values of another form, and
/// launch arguments (`-volume 0.5`), are converted like in Foundation: a number from a string, a Boolean from 1 or
/// `YES`.
public struct UserDefaultsSettingStorage: SettingStorage {
    private let suite: String?

    /// Creates a storage in one suite.
    ///
    /// - Parameter suite: the name of an app group; nil for the app itself.
    public init(suite: String? = nil) { self.suite = suite }

    /// Returns the value of the launch argument, or the stored value.
    public func value(of key: SettingKey) -> ConfigJSON? {
        defaults.object(forKey: key.name).flatMap { ConfigJSON(propertyList: $0) }
    }

    /// Stores a value. On Linux the value is on disk before this function returns.
    public func set(_ value: ConfigJSON?, of key: SettingKey) throws {
        let object = value.map(Self.propertyList)
        #if os(Linux)
            try UserDefaultsFile(suite: suite).set(object, forKey: key.name)
            defaults.synchronize()
            // An unsaved value in Foundation's memory would hide the stored value, so set it there too.
            if self.value(of: key) == value { return }
        #endif
        if let object { defaults.set(object, forKey: key.name) } else { defaults.removeObject(forKey: key.name) }
        #if os(Linux)
            defaults.synchronize()
        #endif
    }

    /// Reads values that another process has stored, which Foundation on Linux does not do by itself.
    public func refresh() {
        #if os(Linux)
            defaults.synchronize()
        #endif
    }

    private static func propertyList(_ value: ConfigJSON) -> Any {
        switch value.kind {
        case .string: if let text = value.string { return text }
        case .bool: if let flag = value.bool { return flag }
        // A number that a property list can't represent exactly is stored as text.
        case .number:
            if let int = value.int, "\(int)" == value.json { return int }
            if let double = value.double, "\(double)" == value.json { return double }
        case .array, .object: break
        }
        return Data(value.json.utf8)
    }

    /// The suite's user defaults, created anew on each access because `UserDefaults` is not `Sendable`. The objects of
    /// a suite share their values.
    private var defaults: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }
}
