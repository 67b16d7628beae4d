import AlmanacConfig

extension ConfigKeys {
    static let volume = ConfigKey("player.volume", default: 0.5)
    static let isMute = ConfigKey("player.mute", default: false)
    static let title = ConfigKey("app.title", default: "Meow")
    static let color = ConfigKey("app.background.color", default: "#FFFFFF")
}

/// The settings of the app: two stay on the device, the server may change the third.
func appSettings() throws -> SettingsStore {
    try SettingsStore {
        UserDefaultSetting(.volume)
        UserDefaultSetting(.isMute)
        ReadOnlySetting(.title)
    }
}
