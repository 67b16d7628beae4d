import Foundation
import RemoteConfig

/// The examples of the documentation, to see that they compile; a test compares them with it.
enum Examples {
    struct Theme: Codable, Sendable {
        var color: String
    }

    static func firstValue(environment: URL, cache: URL) async -> (ConfigClient, String) {
        var options = ConfigOptions(
            environment: environment, version: "1",
            defaults: ["app.background.color": "#FFFFFF", "app.fun_button.text": "Meow"])
        options.cache = cache
        let client = ConfigClient(options)

        _ = try? await client.fetchAndActivate()
        let text = client.string("app.fun_button.text", default: "Meow")
        return (client, text)
    }

    static func changes(_ client: ConfigClient, white: ConfigColor, show: (ConfigColor) -> Void) async {
        let following = Task { await client.live() }
        for await update in client.updates where update.keys.contains("app.background.color") {
            show(update.values.color("app.background.color", default: white))
        }
        following.cancel()
    }

    static func defaults(_ bundledFile: URL) throws -> ConfigDefaults {
        let defaults = try ConfigDefaults(contentsOf: bundledFile)
        return defaults
    }

    static func container(_ client: ConfigClient, bundle: URL) async throws -> Double {
        let settings = try Settings {
            readonly("api.timeout", default: 10.0)
            transient("debug.overlay", default: false, releaseLocked: true)
            userDefault("volume", default: 0.5)
        }
        await settings.update(from: [SettingsBundleSource(bundle), ConfigClientSource(client)])
        let timeout = settings["api.timeout", default: 10.0]
        return timeout
    }

    static func document(cache: URL, address: URL) async -> Theme {
        let provider = ConfigProvider(
            Theme(color: "red"), local: FileConfigLoader(cache), remote: URLConfigLoader(address))
        _ = try? await provider.updateConfig()
        let theme = provider.value
        return theme
    }

    struct Mock: RemoteConfigLoader {
        func load(validator: String?) -> LoadedConfig? { LoadedConfig(data: Data(#"{"color": "blue"}"#.utf8)) }
    }

    static func property(_ settings: Settings) {
        struct Player {
            @Setting var volume: Double
        }
        let player = Player(volume: Setting(wrappedValue: 0.5, "volume", in: settings))
        player.volume = 1
    }
}
