/// What names a setting: a string, or an enumeration of strings.
public protocol SettingKey: Sendable {
    var settingName: String { get }
}

extension String: SettingKey {
    public var settingName: String { self }
}

extension SettingKey where Self: RawRepresentable, RawValue == String {
    public var settingName: String { rawValue }
}
