import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Synchronization
import Testing

extension ConfigKeys {
    fileprivate static let delay = ConfigKey("app.delay", default: 30.0)
    fileprivate static let label = ConfigKey("app.label", default: "Meow")
    fileprivate static let paper = ConfigKey("app.ground", default: ConfigColor(red: 255, green: 255, blue: 255))
    fileprivate static let limits = ConfigKey("app.limits", default: Limits(retries: 3))
    fileprivate static let anything = ConfigKey("app.anything", default: ConfigJSON(0))
    fileprivate static let mute = ConfigKey("app.mute", default: false)
}

private struct Limits: Codable, Sendable, Equatable { var retries: Int }

@Suite struct KeyTests {
    /// Returns true if observers of a read are notified of a change.
    private func isTold(_ read: () -> some Any, _ change: () async throws -> Void) async rethrows -> Bool {
        let isTold = Mutex(false)
        withObservationTracking {
            _ = read()
        } onChange: {
            isTold.withLock { $0 = true }
        }
        try await change()
        return isTold.withLock { $0 }
    }

    @Test func `a typed key reads a client, its values and settings, with the default that it was declared with`()
        async
        throws
    {
        let values: ConfigDefaults = [
            "app.delay": 2, "app.ground": "#010203", "app.limits": ["retries": 5],
            "app.anything": [1, "two", ["three": 3.5]],
        ]
        let client = ConfigClient(preview: values)
        #expect(client[.delay] == 2)
        #expect(client[.label] == "Meow")
        #expect(client[.paper] == ConfigColor(red: 1, green: 2, blue: 3))
        #expect(client[.limits] == Limits(retries: 5))
        #expect(client[.anything].json == #"[1,"two",{"three":3.5}]"#)
        #expect(client.values[.delay] == 2)
        let settings = try SettingsStore(preview: values) {
            ReadOnlySetting(.delay)
            ReadOnlySetting(.label)
            ReadOnlySetting(.paper)
            TransientSetting(.limits)
            UserDefaultSetting(.anything)
        }
        #expect(settings[.delay] == 2)
        #expect(settings[.label] == "Meow")
        #expect(settings[.paper] == ConfigColor(red: 1, green: 2, blue: 3))
        settings[.limits] = Limits(retries: 7)
        #expect(settings[.limits].retries == 7)
        settings[.anything] = ["a": 1.50]
        #expect(settings[.anything] == ["a": 1.5])
        settings.reset(.anything)
        #expect(settings[.anything].kind == .array)
    }

    @Test func `a preview needs no server, and neither reads nor changes what is stored on the device`() async throws {
        let suite = DefaultsSuite()
        suite.defaults.set(9.0, forKey: "app.delay")
        let settings = try SettingsStore(preview: ["app.label": "Purr"]) {
            UserDefaultSetting(.delay, suite: suite.name)
            ReadOnlySetting(.label)
        }
        #expect(settings[.delay] == 30)
        settings[.delay] = 1
        #expect(settings[.delay] == 1)
        #expect(suite.defaults.double(forKey: "app.delay") == 9)
        #expect(settings[.label] == "Purr")
        let client = ConfigClient(preview: [:])
        #expect(await failure { () throws(ConfigFailure) in try await client.fetch() } != nil)
        #expect(client.status.origin == .bundled)
    }

    @Test func `a view is told of the value that it read, and of no other`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            let since = request.path.contains("since")
            connection.config(since ? "2.aaaa" : "1.aaaa", #"[{"key":"app.label","value":"\#(since ? "b" : "a")"}]"#)
        }
        let client = ConfigClient(sandbox.options(server.environment))
        try await client.fetchAndActivate()
        #expect(try await !isTold({ client[.delay] }) { try await client.fetchAndActivate() })
        let other = ConfigClient(preview: ["app.label": "x"])
        #expect(await isTold({ other.status }) { _ = try? await other.fetch() })

        let settings = try SettingsStore(preview: [:]) {
            TransientSetting(.delay)
            TransientSetting(.mute)
        }
        #expect(await isTold({ settings[.delay] }) { settings[.delay] = 5 })
        #expect(await isTold({ settings[.delay] }) { settings.reset(.delay) })
        #expect(await !isTold({ settings[.delay] }) { settings[.mute] = true })
        let source = JSONSettingsSource(Array(#"{"app.delay": 8}"#.utf8))
        #expect(await isTold({ settings[.delay] }) { await settings.update(from: [source]) })
        #expect(settings[.delay] == 8)
        #expect(await !isTold({ settings[.delay] }) { await settings.update(from: [source]) })
    }

    @Test func `an activation tells views of the keys that changed`() async throws {
        let server = try AppServer { _, connection in
            connection.config("1.aaaa", #"[{"key":"app.label","value":"Purr"}]"#)
        }
        let client = ConfigClient(try Sandbox().options(server.environment))
        try await client.fetch()
        #expect(await !isTold({ client[.delay] }) { await client.activate() })
        #expect(client[.label] == "Purr")
        let second = ConfigClient(try Sandbox().options(server.environment))
        #expect(try await isTold({ second.status }) { try await second.fetch() })
        #expect(await isTold({ second[.label] }) { await second.activate() })
        let third = ConfigClient(try Sandbox().options(server.environment))
        #expect(try await isTold({ third.values }) { try await third.fetchAndActivate() })
    }

    @Test func `a property of a typed key reads and sets, and can be handed on`() throws {
        struct Player {
            @Setting<Double> var delay: Double
            @Setting<Bool> var isMute: Bool

            init(_ settings: SettingsStore) {
                _delay = Setting(.delay, in: settings)
                _isMute = Setting(.mute, in: settings)
            }
        }
        let settings = try SettingsStore(preview: [:]) {
            ReadOnlySetting(.delay)
            TransientSetting(.mute)
        }
        let player = Player(settings)
        #expect(player.delay == 30)
        player.isMute = true
        #expect(settings[.mute])
        func silence(_ setting: Setting<Bool>) { setting.wrappedValue = false }
        silence(player.$isMute)
        #expect(!player.isMute)
        player.isMute = true
        player.$isMute.reset()
        #expect(!player.isMute)
    }
}
