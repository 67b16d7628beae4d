import AlmanacConfig

extension ConfigKeys {
    static let volume = ConfigKey("player.volume", default: 0.5)
    static let isMute = ConfigKey("player.mute", default: false)
    static let title = ConfigKey("app.title", default: "Meow")
    static let color = ConfigKey("app.background.color", default: "#FFFFFF")
}

/// Returns the app's settings: two stored on the device, and a third that the server may change.
func appSettings() throws -> SettingsStore {
    try SettingsStore {
        UserDefaultSetting(.volume)
        UserDefaultSetting(.isMute)
        ReadOnlySetting(.title)
    }
}
