import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Testing

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The examples of the documentation, compiled. A test in Tests/Architecture compares both.
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
        struct VolumeSlider: View {
            @Setting(.volume) var volume: Double

            var body: some View {
                Slider(value: $volume)
            }
        }

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

/// The examples that need a bundled file.
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

extension ConfigKeys {
    static let timeout = ConfigKey("app.timeout", default: 30.0)
    static let ground = ConfigKey("app.background.color", default: ConfigColor(red: 255, green: 255, blue: 255))
}

extension ConfigKeys {
    static let volume = ConfigKey("volume", default: 0.5)
    static let overlay = ConfigKey("debug.overlay", default: false)
    static let retries = ConfigKey("api.retries", default: 3)
}

/// The examples of the articles on settings, keys and migration from other libraries.
@Suite struct SettingsExamples {
    static func read(_ client: ConfigClient) -> (Double, ConfigColor) {
        let timeout = client[.timeout]
        let ground = client.values[.ground]
        return (timeout, ground)
    }

    static func container() throws -> SettingsStore {
        let settings = try SettingsStore {
            UserDefaultSetting(.volume)
            TransientSetting(.overlay, releaseLocked: true)
            ReadOnlySetting(.retries)
        }
        return settings
    }

    static func use(_ settings: SettingsStore) -> Bool {
        settings[.volume] = 0.75
        let isLoud = settings[.volume] > 0.5
        settings.reset(.volume)
        return isLoud
    }

    struct Player {
        @Setting(.volume, in: settings) var volume: Double
    }

    private static let settings: SettingsStore = {
        do { return try SettingsStore(preview: ["volume": 0.2]) { UserDefaultSetting(.volume) } } catch {
            preconditionFailure("\(error)")
        }
    }()

    static func sourced(_ bundled: ConfigDefaults, _ bundle: URL) throws -> SettingsStore {
        let settings = try SettingsStore(from: [bundled, SettingsBundleSource(bundle)]) {
            ReadOnlySetting(.retries)
            ReadOnlySetting("api.address", as: URL.self)
        }
        return settings
    }

    static func update(_ settings: SettingsStore, _ client: ConfigClient, _ address: URL) async {
        let results = await settings.update(from: [JSONSettingsSource(url: address), ConfigClientSource(client)])
        for result in results {
            if case .failure(let error) = result.outcome { print("\(result.source): \(error)") }
        }
    }

    static func changes(_ settings: SettingsStore, play: (Double?, Double) -> Void) async {
        for await update in settings.updates {
            if let change = update[.volume], let new = change.new { play(change.old, new) }
        }
    }

    static func previews() throws -> (SettingsStore, ConfigClient) {
        let settings = try SettingsStore(preview: ["volume": 0.2]) { UserDefaultSetting(.volume) }
        let client = ConfigClient(preview: ["app.timeout": 5])
        return (settings, client)
    }

    static func fromUserDefaults() throws -> SettingsStore {
        let settings = try SettingsStore {
            UserDefaultSetting(.volume, suite: "group.example.player")
            UserDefaultSetting("opened", default: Date.distantPast)
        }
        return settings
    }

    static func fromLocus(_ home: URL, _ bundle: URL, _ file: URL) async throws -> SettingsStore {
        let settings = try SettingsStore {
            ReadOnlySetting("api.address", default: home)
            TransientSetting("debug.overlay", default: false, releaseLocked: true)
            UserDefaultSetting("volume", default: 0.5)
        }
        await settings.update(from: [SettingsBundleSource(bundle), JSONSettingsSource(file: file)])
        return settings
    }

    static func fromFirebase(_ environment: URL) async -> Double {
        var options = ConfigOptions(environment: environment, version: "1")
        options.minimumInterval = .seconds(3600)
        let client = ConfigClient(options)
        _ = try? await client.fetchAndActivate()
        let timeout = client[.timeout]
        return timeout
    }

    @Test func `the examples do what the articles say`() async throws {
        let (settings, client) = try Self.previews()
        #expect(settings[.volume] == 0.2)
        #expect(Self.read(client).0 == 5)
        #expect(Self.use(settings))
        #expect(settings[.volume] == 0.2)
        #expect(Player().volume == 0.2)
        #expect(try Self.container()[.retries] == 3)
        let nowhere = URL(filePath: "/nowhere")
        #expect(throws: ConfigFailure.self) { try Self.sourced(["api.retries": 5], nowhere) }
        await Self.update(settings, client, URL(string: "http://127.0.0.1:1/")!)
        #expect(await Self.fromFirebase(URL(string: "http://127.0.0.1:1/test")!) == 30)
        #expect(try await Self.fromLocus(nowhere, nowhere, nowhere)["api.address"] == nowhere)
        #expect(try Self.fromUserDefaults()["opened"] == Date.distantPast)
    }
}
