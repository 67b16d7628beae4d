import AlmanacConfig
import AlmanacTerminalUI

extension ConfigKeys {
    static let volume = ConfigKey("player.volume", default: 5)
    static let isMute = ConfigKey("player.mute", default: false)
    static let title = ConfigKey("app.title", default: "Settings")
    static let color = ConfigKey("app.background.color", default: "#7FB3D5")
}

/// Two settings that stay on the device, and one that the server may change.
func appSettings() throws -> SettingsStore {
    try SettingsStore {
        UserDefaultSetting(.volume)
        UserDefaultSetting(.isMute)
        ReadOnlySetting(.title)
    }
}

/// The upper part of the screen: the settings, on a background whose color comes from the config.
struct SettingsPage {
    @Setting private var volume: Int
    @Setting private var isMute: Bool
    @Setting private var title: String
    private let client: ConfigClient

    init(settings: SettingsStore, client: ConfigClient) {
        _volume = Setting(.volume, in: settings)
        _isMute = Setting(.isMute, in: settings)
        _title = Setting(.title, in: settings)
        self.client = client
    }

    /// - Returns: `true` if the key belongs to a setting.
    func press(_ key: Key) -> Bool {
        switch key {
        case .right: volume = min(10, volume + 1)
        case .left: volume = max(0, volume - 1)
        case .control("t"): isMute.toggle()
        default: return false
        }
        return true
    }

    func lines(_ size: (columns: Int, rows: Int)) -> [String] {
        let ground = ConfigColor(client[.color]) ?? ConfigColor(red: 127, green: 179, blue: 213)
        let paint = "\u{1B}[38;2;0;0;0m\u{1B}[48;2;\(ground.red);\(ground.green);\(ground.blue)m"
        let bar = String(repeating: "▮", count: volume) + String(repeating: "▯", count: max(0, 10 - volume))
        let rows = [
            title, "Volume \(bar) \(isMute ? "(mute)" : "")",
            "Arrows: volume. Ctrl-T: mute. Ctrl-N: note. Ctrl-Q: quit.",
        ]
        return rows.map { row in
            let text = Shown.fitting(Shown.line(" \(row)"), into: size.columns)
            return paint + text + String(repeating: " ", count: size.columns - Shown.width(text))
        }
    }
}
