import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of settings in a program that runs several times.
@Suite(.blocking) struct PersistentSettingsTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static var settingsTool: String { Checkout.program("almanac-settings-tool") }

    /// Runs the program with its own home folder.
    private func run(_ words: String..., limitingFiles isLimited: Bool = false) throws -> Command.Outcome {
        // The limit is in KiB. The program's output stays below it.
        let limit = isLimited ? "ulimit -f 1; " : ""
        return try Command.run(
            "bash", ["-c", limit + "XDG_CONFIG_HOME=\"$0\" exec \"$@\"", home.path, Self.settingsTool] + words)
    }

    @Test func `a user default that a program sets just before it exits is there in another run`() throws {
        #expect(try run("get").output == "0.5 false [] 0\n")
        #expect(try run("set", "0.75").succeeded)
        #expect(try run("get").output == "0.75 false [] 0\n")
        let file = "\(home.path)/almanac-settings-tool.plist"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `launch arguments go over what is stored, as Foundation reads them`() throws {
        #expect(try run("set", "0.75").succeeded)
        let given = ["-volume", "0.25", "-is.loud", "YES", "-tags", "(a, \"b c\")", "-step", "7"]
        let outcome = try Command.run(
            "bash", ["-c", "XDG_CONFIG_HOME=\"$0\" exec \"$@\"", home.path, Self.settingsTool, "get"] + given)
        #expect(outcome.output == "0.25 true [\"a\", \"b c\"] 7\n")
        #expect(try run("get").output == "0.75 false [] 0\n")
        // An unreadable value is reported, and the default is used.
        let wrong = try run("get", "-volume", "loud")
        #expect(wrong.output == "0.5 false [] 0\n")
        #expect(wrong.errors == "expected Double for the setting volume from the device\n")
    }

    @Test func `a full disk takes no setting, and says which one it did not`() throws {
        #expect(try run("fill").succeeded)
        #expect(try run("set", "0.75").succeeded)
        let outcome = try run("set", "0.25", limitingFiles: true)
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("the setting volume could not be stored: "), "\(outcome.errors)")
        #expect(try run("get").output == "0.75 false [\"tag number 0\", \"tag number 1\"] 0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["almanac-settings-tool.plist"])
    }

    @Test func `a program that is killed while it sets keeps all that had been set`() async throws {
        #expect(try run("set", "0.75").succeeded)
        var printedCount = 0
        for round in 1...10 {
            let program = try BackgroundCommand(
                "/usr/bin/env", ["XDG_CONFIG_HOME=\(home.path)", Self.settingsTool, "count"])
            let isCounting = try await eventuallyAsync { program.outputBytes.count(where: { $0 == 10 }) > 2 * round }
            program.kill()
            _ = program.wait(upTo: .seconds(10))
            try #require(isCounting, "\(String(decoding: program.errorBytes, as: UTF8.self))")
            printedCount = try #require(
                String(decoding: program.outputBytes, as: UTF8.self).split(separator: "\n").last.flatMap { Int($0) })
            let storedOutput = try run("get").output
            // The program may have stored the last number without printing it.
            #expect(
                storedOutput == "0.75 false [] \(printedCount)\n"
                    || storedOutput == "0.75 false [] \(printedCount + 1)\n")
        }
        #expect(printedCount > 20)
    }
}
