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
        let following = Task { await client.follow() }
        for await update in client.updates where update.keys.contains("app.background.color") {
            show(update.values.color("app.background.color", default: white))
        }
        following.cancel()
    }

    static func bundled(_ bundledFile: URL, environment: URL, cache: URL) throws -> ConfigClient {
        let defaults = try ConfigDefaults(file: bundledFile)
        let client = ConfigClient(
            ConfigOptions(environment: environment, version: "1", defaults: defaults, cache: cache))
        return client
    }

    static func bundled(_ bundledDocument: Data, cache: URL, address: URL) throws -> ConfigDocument<Theme> {
        let theme = try ConfigDocument<Theme>.validate(bundled: bundledDocument)
        let document = ConfigDocument(
            theme, cache: ConfigDocumentFileCache(file: cache), loader: ConfigDocumentURLLoader(url: address))
        return document
    }

    static func container(_ client: ConfigClient, bundle: URL) async throws -> Double {
        let settings = try SettingsStore {
            ReadOnlySetting("api.timeout", default: 10.0)
            TransientSetting("debug.overlay", default: false, releaseLocked: true)
            UserDefaultSetting("volume", default: 0.5)
        }
        await settings.update(from: [SettingsBundleSource(bundle), ConfigClientSource(client)])
        let timeout = settings["api.timeout", default: 10.0]
        return timeout
    }

    static func document(cache: URL, address: URL) async -> Theme {
        let document = ConfigDocument(
            Theme(color: "red"), cache: ConfigDocumentFileCache(file: cache),
            loader: ConfigDocumentURLLoader(url: address))
        _ = try? await document.update()
        let theme = document.value
        return theme
    }

    struct Mock: ConfigDocumentLoader {
        func load(validator: String?) -> LoadedConfigDocument? {
            LoadedConfigDocument(bytes: Array(#"{"color": "blue"}"#.utf8))
        }
    }

    struct Broken: ConfigDocumentLoader {
        func load(validator: String?) -> LoadedConfigDocument? {
            LoadedConfigDocument(bytes: Array("<html>".utf8))
        }
    }

    struct Canned: ClientTransport {
        func open(_ request: TransportRequest) -> TransportResponse<ByteStream> {
            TransportResponse(
                status: 200,
                headers: [(name: "Almanac-Cursor", value: "1.aaaa"), (name: "Almanac-Version", value: "1.0.0")],
                bytes: Array(#"[{"key": "app.fun_button.text", "value": "Purr"}]"#.utf8))
        }
    }

    static func loaders(environment: URL) async throws {
        let document = ConfigDocument(Theme(color: "red"), loader: Mock())
        try await document.update()
        #expect(document.value.color == "blue")

        let broken = ConfigDocument(Theme(color: "red"), loader: Broken())
        await #expect(throws: ConfigFailure.self) { try await broken.update() }
        #expect(broken.value.color == "red")
        #expect(broken.failure != nil)

        let client = ConfigClient(ConfigOptions(environment: environment, transport: Canned()))
        try await client.fetchAndActivate()
        #expect(client.string("app.fun_button.text", default: "Meow") == "Purr")
    }

    static func property(_ settings: SettingsStore) {
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
            let following = Task { await client.follow() }
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
            let document: ConfigDocument<Theme>

            var body: some View {
                Text(document.value.color)
                    .task { _ = try? await document.update() }
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
        _ = try ConfigDefaults(file: bundledFile)
    }
}
