import AlmanacConfig
import SwiftUI
import Testing

extension ConfigKeys {
    fileprivate static let volume = ConfigKey("volume", default: 0.5)
    fileprivate static let isMute = ConfigKey("is.mute", default: false)
    fileprivate static let title = ConfigKey("title", default: "Meow")
}

private struct Player: View {
    @Setting(.volume) var volume: Double
    @Setting(.isMute) var isMute
    let client: ConfigClient

    var body: some View {
        Text(client[.title] + " \(volume)")
        Slider(value: $volume)
        Toggle("Mute", isOn: $isMute)
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct SettingTests {
    private let settings: SettingsStore

    init() throws {
        settings = try SettingsStore(preview: [:]) {
            TransientSetting(.volume)
            TransientSetting(.isMute)
        }
    }

    @Test func `a control sets a setting, and a view shows the one that is set`() async throws {
        let host = ViewHost(Player(client: ConfigClient(preview: ["title": "Purr"])).environment(settings))
        #expect(host.shows("Purr 0.5"))
        settings[.volume] = 0.75
        try await host.wait { $0.shows("Purr 0.75") }
        #expect(host.value(of: "Mute") == false)
        host.set("Mute", to: true)
        #expect(settings[.isMute])
        try await host.wait { $0.value(of: "Mute") == true }
    }

    @Test func `a binding reads and sets`() {
        let volume = Setting(.volume, in: settings).projectedValue
        volume.wrappedValue = 0.25
        #expect(settings[.volume] == 0.25)
        settings[.volume] = 0.125
        #expect(volume.wrappedValue == 0.125)
    }

    @Test func `outside of a view whose environment has settings, the key's default holds`() {
        let setting = Setting(ConfigKeys.volume)
        #expect(setting.wrappedValue == 0.5)
    }
}
