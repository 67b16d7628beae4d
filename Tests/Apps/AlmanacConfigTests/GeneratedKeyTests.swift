import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that compile the keys that `almanac config generate swift` writes.
@Suite(.blocking) struct GeneratedKeyTests {
    @Test func `generated keys have the values of the environment as their defaults`() {
        let client = ConfigClient(preview: ["app.retries": 5])
        #expect(client[.appBackgroundColor] == ConfigColor(red: 255, green: 182, blue: 193))
        #expect(client[.appFunButtonText] == "Meeeeoowwww! 😸 \"\\(now)\"\n")
        #expect(client[.appFunButtonUrl].host() == "www.example.com")
        #expect(client[.appIsNew])
        #expect(client[.appRetries] == 5)
        #expect(client[.appLimits].backOff.steps == [1, 2.5])
        #expect(client[.appLimits].hosts.map(\.port) == [80, nil])
        #expect(client[.appMixed].map(\.json) == ["1", "\"two\"", #"{"three":null}"#])
        #expect(client[.appNulls].json == "[1,null]")
        #expect(client[.default] == "d")
        #expect(client[.string].a == 1)
        #expect(ConfigKeys.major == "2")
    }

    /// Returns the compiler's errors for an app's file, in a module with the given default isolation.
    private func errors(_ code: String, isolation: String = "nonisolated") throws -> String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let modules = URL(filePath: bundle).deletingLastPathComponent().appending(path: "Modules").path
        let here = URL(filePath: #filePath)
        let root = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
        let c = root.appending(path: "Sources/C")
        let maps = try FileManager.default.contentsOfDirectory(atPath: c.path).flatMap { ["-I", "\(c.path)/\($0)"] }
        let folder = try TemporaryFolder()
        let file = try folder.write("App.swift", Array("import AlmanacConfig\n\(code)\n".utf8))
        let keys = here.deletingLastPathComponent().appending(path: "GeneratedKeys.swift").path
        let outcome = try Command.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-default-isolation", isolation, "-I", modules] + maps + [file, keys])
        return outcome.errors
    }

    @Test(arguments: ["nonisolated", "MainActor"])
    func `an unknown key and one of another type are found when an app is compiled`(isolation: String) throws {
        let right = "func f(_ client: ConfigClient) -> Int { client[.appRetries] }"
        #expect(try errors(right, isolation: isolation) == "")
        let unknown = "func f(_ client: ConfigClient) -> Int { client[.appRetrys] }"
        #expect(try errors(unknown, isolation: isolation).contains("has no member 'appRetrys'"))
        let mistyped = "func f(_ client: ConfigClient) -> String { client[.appRetries] }"
        #expect(try errors(mistyped, isolation: isolation).contains("error:"))
        let property = "func f(_ s: SettingsStore) { @Setting(.appRetries, in: s) var retries: String; _ = retries }"
        #expect(try errors(property, isolation: isolation).contains("error:"))
    }
}
