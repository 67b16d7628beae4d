import AlmanacConfig
import SwiftUI

/// A screen of three settings, and a background colour from the server.
struct SettingsScreen: View {
    @Setting(.volume) var volume
    @Setting(.isMute) var isMute
    @Setting(.title) var title
    let client: ConfigClient

    private var background: ConfigColor { ConfigColor(client[.color]) ?? ConfigColor(red: 255, green: 255, blue: 255) }

    var body: some View {
        Form {
            Section(title) {
                Slider(value: $volume) { Text("Volume") }
                Toggle("Mute", isOn: $isMute)
                Button("Reset") {
                    _volume.reset()
                    _isMute.reset()
                }
            }
        }
        .background(Color(background))
        .task { await client.follow() }
    }
}

struct SettingsScreenPreviews: PreviewProvider {
    static var previews: some View {
        if let settings = try? appSettings() {
            SettingsScreen(client: ConfigClient(preview: ["app.background.color": "#FF8800"])).environment(settings)
        }
    }
}
