import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Synchronization
import Testing

extension ConfigKeys {
    fileprivate static let size = ConfigKey("size", default: 1)
    fileprivate static let name = ConfigKey("name", default: "none")
}

@Suite struct RegistrationTests {
    @Test func `settings are registered later too, all of them or none`() async throws {
        let settings = try SettingsStore(report: { _ in }) { TransientSetting(.size) }
        var updates = settings.updates.makeAsyncIterator()
        #expect(await updates.next()?.keys == ["size"])
        #expect(settings["name"] == String?.none)
        try settings.register { TransientSetting(.name) }
        #expect(await updates.next()?[.name] == SettingChange(old: nil, new: "none"))
        #expect(settings[.name] == "none")
        #expect(throws: SettingsProblem.registeredTwice(key: "size")) {
            try settings.register {
                ReadOnlySetting("new", default: 1)
                ReadOnlySetting(.size)
            }
        }
        #expect(settings.keys == ["size", "name"])
    }

    @Test func `a default may come from a source, from the first read on`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("Defaults.json", #"{"size": 4, "url": "https://a.example"}"#.utf8)
        let defaults = try ConfigDefaults(file: URL(filePath: file))
        let settings = try SettingsStore(from: [defaults]) {
            ReadOnlySetting(.size)
            ReadOnlySetting("url", as: URL.self)
        }
        #expect(settings[.size] == 4)
        #expect(settings["url"] == URL(string: "https://a.example"))
        // If a source drops the key, the first default applies again.
        await settings.update(from: [JSONSettingsSource(Array("{}".utf8), name: "defaults")])
        #expect(settings[.size] == 1)
        #expect(settings["url"] == URL(string: "https://a.example"))
        try settings.register(from: [["size": 5, "late": true] as ConfigDefaults]) {
            TransientSetting("late", as: Bool.self)
        }
        #expect(settings["late"] == true)
        #expect(settings[.size] == 5)
        #expect(throws: SettingsProblem.noDefault(key: "nowhere")) {
            try settings.register(from: [["nowhere": "text"] as ConfigDefaults]) {
                ReadOnlySetting("nowhere", as: Int.self)
            }
        }
        #expect(!settings.keys.contains("nowhere"))
    }

    @Test func `the visible values of a client are defaults without waiting`() async throws {
        let client = ConfigClient(preview: ["size": 6])
        let settings = try SettingsStore(from: [client.values]) { ReadOnlySetting(.size) }
        #expect(settings[.size] == 6)
        let next = ConfigClient(preview: ["size": 7])
        await settings.update(from: [ConfigClientSource(next, fetches: false)])
        #expect(settings[.size] == 7)
    }

    @Test func `an update has the old and the new value`() async throws {
        let settings = try SettingsStore {
            TransientSetting(.size)
            TransientSetting(.name)
        }
        var updates = settings.updates.makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first[.size] == SettingChange(old: nil, new: 1))
        settings[.size] = 2
        settings[.size] = 3
        let second = try #require(await updates.next())
        // Changes between two reads are merged into one.
        #expect(second.keys == ["size"])
        #expect(second[.size] == SettingChange(old: 1, new: 3))
        #expect(second[.name] == nil)
        settings.reset(.size)
        #expect(await updates.next()?[.size] == SettingChange(old: 3, new: 1))
    }

    @Test func `a setting whose default changes is told even where an older source has the same value`() async throws {
        let settings = try SettingsStore { ReadOnlySetting(.size) }
        let one = JSONSettingsSource(Array(#"{"size": 2}"#.utf8), name: "one")
        let two = JSONSettingsSource(Array(#"{"size": 3}"#.utf8), name: "two")
        await settings.update(from: [one, two])
        let isTold = Mutex(false)
        withObservationTracking {
            _ = settings[.size]
        } onChange: {
            isTold.withLock { $0 = true }
        }
        // A repeated update makes the first source the newest.
        await settings.update(from: [one])
        #expect(settings[.size] == 2)
        #expect(isTold.withLock { $0 })
    }

    @Test func `numbers and flags of a settings bundle are read as Foundation reads them`() async throws {
        let folder = try TemporaryFolder()
        let root =
            #"{"PreferenceSpecifiers": [{"Key": "on", "DefaultValue": 1}, {"Key": "size", "DefaultValue": "12"}]}"#
        let list = try JSONSerialization.jsonObject(with: Data(root.utf8))
        try folder.write("Root.plist", PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        let settings = try SettingsStore(from: [SettingsBundleSource(URL(filePath: folder.path))]) {
            ReadOnlySetting("on", default: false)
            ReadOnlySetting(.size)
        }
        #expect(settings["on"] == true)
        #expect(settings[.size] == 12)
    }

    @Test func `what a server says is read strictly`() async throws {
        let settings = try SettingsStore(report: { _ in }) { ReadOnlySetting(.size) }
        await settings.update(from: [JSONSettingsSource(Array(#"{"size": "12"}"#.utf8))])
        #expect(settings[.size] == 1)
    }
}
