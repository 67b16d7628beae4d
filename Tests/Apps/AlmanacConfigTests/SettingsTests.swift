import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

extension SettingKey {
    fileprivate static let apiTimeout: SettingKey = "api.timeout"
    fileprivate static let debugOverlay: SettingKey = "debug.overlay"
    fileprivate static let loudness: SettingKey = "volume"
    fileprivate static let tags: SettingKey = "tags"
}

@Suite struct SettingsTests {
    private final class Problems: Sendable {
        let all = Mutex<[SettingsProblem]>([])

        var receive: @Sendable (SettingsProblem) -> Void {
            { [self] problem in all.withLock { $0.append(problem) } }
        }
    }

    private let defaults = DefaultsSuite()

    private var suite: String { defaults.name }

    private func settings(isRelease: Bool = false, _ problems: Problems = Problems()) throws -> SettingsStore {
        try SettingsStore(isRelease: isRelease, report: problems.receive) {
            ReadOnlySetting(.apiTimeout, default: 10.0)
            TransientSetting(.debugOverlay, default: false, releaseLocked: true)
            UserDefaultSetting(.loudness, default: 0.5, suite: suite)
            if true { TransientSetting(.tags, default: ["new"]) }
            for number in 1...2 { ReadOnlySetting("n\(number)", default: number) }
        }
    }

    @Test func `a value that was set goes over the default until it is reset`() throws {
        let settings = try settings()
        #expect(settings.keys == ["api.timeout", "debug.overlay", "volume", "tags", "n1", "n2"])
        #expect(settings["n2"] == 2)
        settings[.tags] = ["a", "é"]
        #expect(settings[.tags, default: []] == ["a", "é"])
        settings.reset(.tags)
        #expect(settings[.tags, default: []] == ["new"])
        #expect(!settings.set(1.0, for: .apiTimeout))
    }

    @Test func `an enumeration of strings names settings`() throws {
        enum Name: String { case volume }
        let settings = try settings()
        settings[SettingKey(Name.volume)] = 0.25
        #expect(settings["volume"] == 0.25)
    }

    @Test func `a user default outlives the container, and a transient one does not`() throws {
        let first = try settings()
        first.set(0.75, for: .loudness)
        first.set(true, for: .debugOverlay)
        let second = try settings()
        #expect(second[.loudness] == 0.75)
        #expect(second[.debugOverlay] == false)
        #expect(defaults.defaults.double(forKey: "volume") == 0.75)
        defaults.defaults.set("loud", forKey: "volume")
        #expect(second[.loudness] == 0.5)
    }

    @Test(arguments: [
        "3", "0.1", "true", "\"text\"", "[1,\"a\"]", "{\"a\":{\"b\":false}}", "9007199254740993", "0.10",
        "12345678901234567890123",
    ])
    func `user defaults give back what was stored`(json: String) throws {
        let value = try ConfigJSON(json: json.utf8)
        let storage = UserDefaultsSettingStorage(suite: suite)
        try storage.set(value, of: "key")
        #expect(storage.value(of: "key") == value)
        try storage.set(nil, of: "key")
        #expect(storage.value(of: "key") == nil)
    }

    @Test func `a locked setting can be set in development and not in a release`() throws {
        let development = try settings()
        #expect(development.set(true, for: .debugOverlay))
        #expect(development[.debugOverlay] == true)
        let problems = Problems()
        let release = try settings(isRelease: true, problems)
        #expect(!release.set(true, for: .debugOverlay))
        #expect(release[.debugOverlay] == false)
        #expect(problems.all.withLock { $0 } == [.locked(key: "debug.overlay")])
    }

    @Test func `a key that is unregistered or of another type is reported once and gives the fallback`() throws {
        let problems = Problems()
        let settings = try settings(problems)
        for _ in 0..<2 {
            #expect(settings["nowhere", default: 7] == 7)
            #expect(settings[.apiTimeout, default: "x"] == "x")
        }
        #expect(
            problems.all.withLock { $0 } == [
                .unregistered(key: "nowhere"), .typeMismatch(key: "api.timeout", registered: "Double", used: "String"),
            ])
        #expect(throws: SettingsProblem.registeredTwice(key: "a")) {
            _ = try SettingsStore {
                ReadOnlySetting("a", default: 1)
                ReadOnlySetting("a", default: 2)
            }
        }
    }

    @Test func `a property wrapper reads and sets`() throws {
        struct Screen {
            @Setting var overlay: Bool
            @Setting var timeout: Double

            init(_ settings: SettingsStore) {
                _overlay = Setting(wrappedValue: true, .debugOverlay, in: settings)
                _timeout = Setting(wrappedValue: 0, .apiTimeout, in: settings)
            }
        }
        let settings = try settings()
        let screen = Screen(settings)
        #expect(screen.timeout == 10)
        #expect(!screen.overlay)
        screen.overlay = true
        #expect(settings[.debugOverlay] == true)
    }

    @Test func `sources give defaults in their order, and one that fails does not stop the next`() async throws {
        let problems = Problems()
        let settings = try settings(problems)
        let folder = try TemporaryFolder()
        try folder.write("first.json", #"{"api.timeout":20,"n1":"one","unknown":1}"#.utf8)
        let server = try AppServer { request, connection in
            if request.headers["x-key"] != "k" { return connection.answer("403 Forbidden") }
            connection.answer("200 OK", [], #"{"settings":{"api.timeout":30}}"#)
        }
        let url = URL(string: server.environment)!
        let mapped: @Sendable ([UInt8]) throws -> [String: ConfigJSON] = { document in
            try ConfigJSON(json: document).decoded(as: [String: [String: Double]].self)["settings", default: [:]]
                .mapValues { ConfigJSON(floatLiteral: $0) }
        }
        let results = await settings.update(from: [
            JSONSettingsSource(file: URL(filePath: "\(folder.path)/first.json")),
            JSONSettingsSource(Array("<html>".utf8), name: "broken"),
            JSONSettingsSource(url: url, headers: [(name: "X-Key", value: "wrong")]),
        ])
        #expect(results.map(\.source) == ["first.json", "broken", server.environment])
        #expect((try? results[0].outcome.get()) == ["api.timeout", "n1", "unknown"])
        #expect(throws: ConfigFailure.self) { try results[1].outcome.get() }
        #expect(throws: ConfigFailure.refused(status: 403, problem: nil, retryAfter: nil)) {
            try results[2].outcome.get()
        }
        #expect(settings[.apiTimeout] == 20.0)
        #expect(settings["n1"] == 1)
        #expect(problems.all.withLock { $0 } == [.invalidValue(key: "n1", origin: "first.json", expected: "Int")])

        await settings.update(from: [JSONSettingsSource(url: url, headers: [(name: "X-Key", value: "k")], map: mapped)])
        #expect(settings[.apiTimeout] == 30.0)
    }

    @Test func `a settings bundle gives the defaults of all its panes`() async throws {
        let folder = try TemporaryFolder()
        let root = """
            {"PreferenceSpecifiers": [{"Type": "PSToggleSwitchSpecifier", "Key": "debug.overlay", "DefaultValue": true},
              {"Type": "PSChildPaneSpecifier", "File": "Child"}, {"Type": "PSChildPaneSpecifier", "File": "../etc"}]}
            """
        let child = """
            {"PreferenceSpecifiers": [{"Type": "PSSliderSpecifier", "Key": "api.timeout", "DefaultValue": 2.5},
              {"Type": "PSChildPaneSpecifier", "File": "Root"}]}
            """
        for (name, text) in ["Root": root, "Child": child] {
            let list = try JSONSerialization.jsonObject(with: Data(text.utf8))
            try folder.write(
                "\(name).plist", PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        }
        let settings = try settings()
        let results = await settings.update(from: [SettingsBundleSource(URL(filePath: folder.path))])
        #expect((try? results[0].outcome.get()) == ["debug.overlay", "api.timeout"])
        #expect(settings[.debugOverlay] == true)
        #expect(settings[.apiTimeout] == 2.5)
    }

    @Test func `a config client is a source, and what it no longer has falls back at once`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.path.contains("since") {
                connection.config("2.aaaa", #"[{"key":"api.timeout","deleted":true},{"key":"n1","value":11}]"#)
            } else {
                connection.config("1.aaaa", #"[{"key":"api.timeout","value":99}]"#)
            }
        }
        let client = ConfigClient(sandbox.options(server.environment))
        let settings = try settings()
        await settings.update(from: [ConfigClientSource(client)])
        #expect(settings[.apiTimeout] == 99.0)
        var updates = settings.updates.makeAsyncIterator()
        #expect(await updates.next()?.keys == settings.keys)
        let following = Task { await settings.follow(client) }
        try await client.fetchAndActivate()
        #expect(await updates.next()?.keys == ["api.timeout", "n1"])
        #expect(settings[.apiTimeout] == 10.0)
        await following.cancelAndWait()

        let offline = ConfigClient(sandbox.options("http://127.0.0.1:1/test", defaults: ["n2": 22]))
        let results = await settings.update(from: [ConfigClientSource(offline)])
        #expect(throws: ConfigFailure.self) { try results[0].outcome.get() }
        #expect(settings["n2"] == 22)
    }
}
