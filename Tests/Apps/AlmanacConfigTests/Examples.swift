import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Testing

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The examples of the documentation, to see that they compile; a test of the architecture compares them with it.
enum Examples {
    struct Theme: Codable, Sendable {
        var color: String
    }

    static func status(_ client: ConfigClient) -> Bool {
        let status = client.status
        if status.isStale { print("These values are from \(status.lastFetched?.description ?? "the app itself").") }
        return status.isStale
    }

    static func together(_ client: ConfigClient) -> (Double, Int) {
        let values = client.values
        let (timeout, retries) = (values.double("api.timeout", default: 10), values.int("api.retries", default: 3))
        return (timeout, retries)
    }

    static func readme() async -> ConfigColor {
        var options = ConfigOptions(
            environment: URL(string: "https://config.example.com/production")!, version: "1",
            defaults: ["app.background.color": "#FFFFFF"])
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
        options.cache = caches.appending(path: "config.cache")
        let client = ConfigClient(options)

        _ = try? await client.fetchAndActivate()
        let color = client.color("app.background.color", default: ConfigColor(red: 255, green: 255, blue: 255))
        return color
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

    static func bundled(_ bundledFile: URL, environment: URL, cache: URL) throws -> ConfigClient {
        let defaults = try ConfigDefaults(contentsOf: bundledFile)
        let client = ConfigClient(
            ConfigOptions(environment: environment, version: "1", defaults: defaults, cache: cache))
        return client
    }

    static func bundled(_ bundledDocument: Data, cache: URL, address: URL) throws -> ConfigProvider<Theme> {
        let theme = try ConfigProvider<Theme>.validate(bundled: bundledDocument)
        let provider = ConfigProvider(theme, local: FileConfigLoader(cache), remote: URLConfigLoader(address))
        return provider
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

    struct Broken: RemoteConfigLoader {
        func load(validator: String?) -> LoadedConfig? { LoadedConfig(data: Data("<html>".utf8)) }
    }

    struct Canned: ConfigTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(
                status: 200, headers: ["Almanac-Cursor": "1.aaaa", "Almanac-Version": "1.0.0"],
                body: Data(#"[{"key": "app.fun_button.text", "value": "Purr"}]"#.utf8))
        }
    }

    static func loaders(environment: URL) async throws {
        let provider = ConfigProvider(Theme(color: "red"), remote: Mock())
        try await provider.updateConfig()
        #expect(provider.value.color == "blue")

        let broken = ConfigProvider(Theme(color: "red"), remote: Broken())
        await #expect(throws: ConfigFailure.self) { try await broken.updateConfig() }
        #expect(broken.value.color == "red")
        #expect(broken.failure != nil)

        let client = ConfigClient(ConfigOptions(environment: environment, transport: Canned()))
        try await client.fetchAndActivate()
        #expect(client.string("app.fun_button.text", default: "Meow") == "Purr")
    }

    static func property(_ settings: Settings) {
        struct Player {
            @Setting var volume: Double
        }
        let player = Player(volume: Setting(wrappedValue: 0.5, "volume", in: settings))
        player.volume = 1
    }

    @MainActor @Observable
    final class Appearance {
        private(set) var label = "Meow"
        private(set) var background = ConfigColor(red: 255, green: 255, blue: 255)
        private let client: ConfigClient

        init(_ client: ConfigClient) {
            self.client = client
            show(client.values)
        }

        /// Runs until its task is cancelled.
        func follow() async {
            let following = Task { await client.live() }
            defer { following.cancel() }
            for await update in client.updates { show(update.values) }
        }

        private func show(_ values: ConfigValues) {
            label = values.string("app.fun_button.text", default: label)
            background = values.color("app.background.color", default: background)
        }
    }

    #if canImport(SwiftUI)
        struct FunButton: View {
            @State var appearance: Appearance

            var body: some View {
                Button(appearance.label) {}
                    .background(Color(appearance.background))
                    .task { await appearance.follow() }
            }
        }

        struct ThemeName: View {
            let provider: ConfigProvider<Theme>

            var body: some View {
                Text(provider.value.color)
                    .task { _ = try? await provider.updateConfig() }
            }
        }
    #endif
}

/// What an app would have in a suite of its own.
struct BundleExamples {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("Defaults.json", Array(#"{"app.fun_button.text": "Meow"}"#.utf8))
    }

    private var bundledFile: URL { URL(filePath: "\(folder.path)/Defaults.json") }

    @Test func `the bundled defaults can be read`() throws {
        _ = try ConfigDefaults(contentsOf: bundledFile)
    }
}
