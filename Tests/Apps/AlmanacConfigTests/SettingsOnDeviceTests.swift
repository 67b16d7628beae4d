import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Observation
import Synchronization
import Testing

/// Tests of settings that other code reads and writes as well.
@Suite struct SettingsOnDeviceTests {
    private let suite = DefaultsSuite()

    private struct Point: Codable, Sendable, Equatable { var x: Int }

    private enum Level: Int, Codable, Sendable {
        case low = 1
        case high = 2
    }

    /// Returns the setting's value for an object that Foundation has stored.
    private func read<Value: Codable & Sendable & Equatable>(_ object: Any, as fallback: Value) throws -> Value {
        let settings = try SettingsStore(report: { _ in }) {
            UserDefaultSetting("key", default: fallback, suite: suite.name)
        }
        suite.defaults.set(object, forKey: "key")
        return settings["key", default: fallback]
    }

    private func text(_ object: Any) throws -> String { try read(object, as: "none") }

    private func number(_ object: Any) throws -> Double { try read(object, as: 0.5) }

    @Test func `what is stored in another form is read as Foundation reads it`() throws {
        #expect(try number("0.75") == 0.75)
        #expect(try read(" 12", as: 3) == 12)
        #expect(try read("012", as: 3) == 12)
        #expect(try number("+1.5") == 1.5)
        #expect(try text(3) == "3")
        #expect(try read(1, as: false))
        #expect(try !read(0, as: true))
        #expect(try read("YES", as: false))
        #expect(try read("1", as: false))
        #expect(try !read("no", as: true))
        #expect(try !read("0", as: true))
        #expect(try read(true, as: 0) == 1)
        #expect(try text(true) == "1")
        #expect(try read("2", as: Level.low) == .high)
        #expect(try read(["a", "b"], as: [String]()) == ["a", "b"])
        #expect(try read(["x": 4], as: Point(x: 0)) == Point(x: 4))
        #expect(try read(#"{"x": 4}"#, as: Point(x: 0)) == Point(x: 4))
        #expect(try read("3", as: Int?.none) == 3)
    }

    @Test(arguments: ["", "loud", "1e999", "1.5abc", "nan", "0x10", "tru"])
    func `a text that is no number is none`(text: String) throws {
        #expect(try number(text) == 0.5)
        #expect(try read(text, as: 3) == 3)
        #expect(try read(text, as: true))
    }

    @Test func `data, dates and URLs that Foundation stored are read as what they are`() throws {
        let bytes = Data([0xFF, 0x00, 0x7B])
        #expect(try read(bytes, as: Data()) == bytes)
        // Data that looks like JSON reads as data, or as JSON if the setting's type requires it.
        #expect(try read(Data("\"QUJD\"".utf8), as: Data()) == Data("\"QUJD\"".utf8))
        #expect(try read(Data(#"{"x":4}"#.utf8), as: Point(x: 0)) == Point(x: 4))
        #expect(try text(bytes) == "none")
        // Foundation on Linux writes its dates in whole seconds, at a time of its own choice.
        let date = Date(timeIntervalSince1970: 1_602_960_199)
        #expect(try read(date, as: Date.distantPast) == date)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: try #require(NSURL(string: "https://example.com/a?b=c")), requiringSecureCoding: true)
        let example = try #require(URL(string: "https://example.com"))
        #expect(try read(archive, as: example).absoluteString == "https://example.com/a?b=c")
        #expect(try read("https://example.com/x", as: example).path == "/x")
    }

    @Test func `data, dates and types of an app come back as they were set`() throws {
        let settings = try SettingsStore {
            UserDefaultSetting("data", default: Data(), suite: suite.name)
            UserDefaultSetting("date", default: Date.distantPast, suite: suite.name)
            UserDefaultSetting("point", default: Point(x: 0), suite: suite.name)
            UserDefaultSetting("text", default: "", suite: suite.name)
            UserDefaultSetting("perhaps", default: Int?.some(1), suite: suite.name)
        }
        let date = Date(timeIntervalSince1970: 1_602_960_199.5)
        settings["data"] = Data([1, 2, 255])
        settings["date"] = date
        settings["point"] = Point(x: 9)
        #expect(settings["data"] == Data([1, 2, 255]))
        #expect(settings["date"] == date)
        #expect(settings["point"] == Point(x: 9))
        let texts = ["\u{1}\u{0} \u{FFFF}", "😸 \r\n", "true", "1", "[1]", "\"", String(repeating: "é", count: 9)]
        for text in texts {
            settings["text"] = text
            #expect(settings["text"] == text)
        }
    }

    @Test func `a value that something else has stored is noticed, and told with the one before`() async throws {
        let settings = try SettingsStore {
            UserDefaultSetting("volume", default: 0.5, suite: suite.name)
            UserDefaultSetting("mute", default: false, suite: suite.name)
        }
        var updates = settings.updates.makeAsyncIterator()
        #expect(await updates.next()?.keys == ["volume", "mute"])
        suite.defaults.set(0.25, forKey: "volume")
        // Foundation posts this notification on Apple's platforms, but not on Linux.
        NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
        let update = try #require(await updates.next())
        #expect(update.changes == ["volume": SettingChange(old: 0.5, new: 0.25)])
        let isTold = Mutex(false)
        withObservationTracking {
            _ = settings["mute", default: false]
        } onChange: {
            isTold.withLock { $0 = true }
        }
        // From here on, another test's notification may refresh these settings, too.
        suite.defaults.set(true, forKey: "mute")
        settings.refresh()
        #expect(isTold.withLock { $0 })
        #expect(await updates.next()?.keys == ["mute"])
    }

    #if os(Linux)
        @Test func `a value that another process has stored is there after a refresh`() async throws {
            let settings = try SettingsStore { UserDefaultSetting("volume", default: 0.5, suite: suite.name) }
            settings["volume"] = 0.75
            let other = try PropertyListSerialization.data(
                fromPropertyList: ["volume": 0.125, "theirs": "x"], format: .xml, options: 0)
            try other.write(to: suite.file, options: .atomic)
            settings.refresh()
            #expect(settings["volume"] == 0.125)
            // Another process's values remain.
            settings["volume"] = 0.5
            #expect(suite.defaults.string(forKey: "theirs") == "x")
            #expect(settings["volume"] == 0.5)
        }

        @Test func `a setting goes over what Foundation was given and never stored`() throws {
            let settings = try SettingsStore { UserDefaultSetting("volume", default: 0.5, suite: suite.name) }
            suite.defaults.set(0.1, forKey: "volume")
            settings["volume"] = 0.9
            #expect(settings["volume"] == 0.9)
            #expect(suite.defaults.double(forKey: "volume") == 0.9)
            suite.defaults.set(0.1, forKey: "volume")
            settings.reset("volume")
            #expect(settings["volume"] == 0.5)
        }
    #endif

    @Test func `a storage that fails leaves the value before, and that is reported`() throws {
        struct Full: SettingStorage, Error {
            func value(of key: SettingKey) -> ConfigJSON? { 7 }
            func set(_ value: ConfigJSON?, of key: SettingKey) throws { throw self }
        }
        struct Stubborn: SettingConfiguration {
            let key: SettingKey = "n"
            let defaultValue: Int? = 1
            let storage: (any SettingStorage)? = Full()
            let releaseLocked = false
        }
        let problems = Mutex<[SettingsProblem]>([])
        let settings = try SettingsStore(report: { problem in problems.withLock { $0.append(problem) } }) { Stubborn() }
        #expect(!settings.set(8, for: "n"))
        #expect(!settings.reset("n"))
        #expect(settings["n"] == 7)
        #expect(problems.withLock { $0 } == [.storeFailed(key: "n", reason: "Full()")])
    }
}
