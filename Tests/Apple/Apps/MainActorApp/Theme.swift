import AlmanacConfig
import Foundation

// What libraries decode, ask or keep from other threads is nobody's: `nonisolated`, where the rest is the main actor's.
nonisolated struct Theme: Codable, Sendable {
    var color: String
}

nonisolated struct LaunchSource: SettingsSource {
    let name = "launch"

    func values() -> [String: ConfigJSON] { ["app.title": "Launched"] }
}

nonisolated struct BundledTheme: ConfigDocumentLoader {
    func load(validator: String?) -> LoadedConfigDocument? {
        LoadedConfigDocument(bytes: Array(#"{"color": "blue"}"#.utf8))
    }
}

func theme() -> ConfigDocument<Theme> { ConfigDocument(Theme(color: "red"), loader: BundledTheme()) }
