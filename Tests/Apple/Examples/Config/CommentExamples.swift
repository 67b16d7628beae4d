import AlmanacConfig

/// The examples of comments; a test of the architecture compares them.
private let settings = try! SettingsStore { UserDefaultSetting(ConfigKeys.volume) }

extension ConfigKeys {
    static let timeout = ConfigKey("app.timeout", default: 30.0)
}

extension ConfigKeys {
    static let volume = ConfigKey("volume", default: 0.5)
}

struct Player {
    @Setting(.volume, in: settings) var volume: Double
}
