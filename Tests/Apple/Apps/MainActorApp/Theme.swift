import AlmanacConfig
import Foundation

// Libraries use these types on other threads, so the types can't belong to the module's default main actor.
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
