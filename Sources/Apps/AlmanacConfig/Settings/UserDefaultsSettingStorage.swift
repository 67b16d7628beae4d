internal import Foundation

/// Keeps values in `UserDefaults`, as what they are there: texts, numbers and flags as themselves, the rest as JSON.
///
/// So the Settings app of a device, and `defaults` in a terminal, can read and set them. What is stored there in
/// another form, or given as a launch argument (`-volume 0.5`), is read as Foundation reads it: a number from a text,
/// a flag from 1 or `YES`, data as itself.
public struct UserDefaultsSettingStorage: SettingStorage {
    private let suite: String?

    /// Keeps values in one suite.
    ///
    /// - Parameter suite: the name of an app group; nil for the app itself.
    public init(suite: String? = nil) {
        self.suite = suite
    }

    /// Gives the value that a launch argument has, else the one that is stored.
    public func value(of key: SettingKey) -> ConfigJSON? {
        defaults.object(forKey: key.name).flatMap { ConfigJSON(propertyList: $0) }
    }

    /// Stores a value. On Linux it is on the disk before this returns.
    public func set(_ value: ConfigJSON?, of key: SettingKey) throws {
        let object = value.map(Self.propertyList)
        #if os(Linux)
            try UserDefaultsFile(suite: suite).set(object, forKey: key.name)
            defaults.synchronize()
            // Something that was set here with Foundation and never stored would hide what is stored now.
            if self.value(of: key) == value { return }
        #endif
        if let object { defaults.set(object, forKey: key.name) } else { defaults.removeObject(forKey: key.name) }
        #if os(Linux)
            defaults.synchronize()
        #endif
    }

    /// Reads what another process has stored, which Foundation on Linux doesn't do by itself.
    public func refresh() {
        #if os(Linux)
            defaults.synchronize()
        #endif
    }

    private static func propertyList(_ value: ConfigJSON) -> Any {
        switch value.kind {
        case .string: if let text = value.string { return text }
        case .bool: if let flag = value.bool { return flag }
        // Numbers that a property list could not hold exactly stay as they are written.
        case .number:
            if let int = value.int, "\(int)" == value.json { return int }
            if let double = value.double, "\(double)" == value.json { return double }
        case .array, .object: break
        }
        return Data(value.json.utf8)
    }

    /// Made anew each time: the objects of one suite share their values, and are not marked as safe to share.
    private var defaults: UserDefaults {
        suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard
    }
}
