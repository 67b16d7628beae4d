import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that compile the keys that `almanac flags generate swift` writes.
@Suite(.blocking) struct GeneratedFlagKeyTests {
    @Test func `generated keys have the defaults of the manifest`() throws {
        #expect(FlagKeys.newBasket.defaultValue == false && FlagKeys.newBasket.name == "new-basket")
        #expect(FlagKeys.newBasket2.defaultValue && FlagKeys.newBasket2.name == "new.basket")
        #expect(FlagKeys.`default`.defaultValue == "a \"b\" \\(c)\n")
        #expect(FlagKeys.`init`.defaultValue == "" && FlagKeys.`self`.defaultValue == "https://example.com")
        #expect(FlagKeys.type.defaultValue == 3 && FlagKeys.retries.defaultValue == -1)
        #expect(FlagKeys.ratio.defaultValue == 1 && FlagKeys.share.defaultValue == 0.0025)
        #expect(FlagKeys.flagKey.defaultValue.flagData == "#FFF" && FlagKeys.empty.defaultValue == [:])
        let limits = FlagKeys.limits.defaultValue
        #expect(limits.backOff.steps == [1, 2.5] && limits.backOff.let == 1 && limits.none == nil)
        #expect(limits.hosts.map(\.inout) == [nil, true] && limits.hosts.map(\.port) == [80, nil])
        #expect(FlagKeys.mixed.defaultValue.all == [1, "two", [.null], ["a": 1.0]])
        // The library decodes a server's value like this.
        let served = #"{"max":4,"back-off":{"let":2,"steps":[]},"none":[1],"hosts":[{"name":"c"}],"more":1}"#
        let decoded = try JSONDecoder().decode(type(of: limits), from: Data(served.utf8))
        #expect(decoded.max == 4 && decoded.none == [1] && decoded.hosts.map(\.name) == ["c"])
    }

    @Test(arguments: ["nonisolated", "MainActor"])
    func `an app compiles them, wherever its code runs by default`(isolation: String) throws {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let modules = URL(filePath: bundle).deletingLastPathComponent().appending(path: "Modules").path
        let here = URL(filePath: #filePath)
        let root = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
        let c = root.appending(path: "Sources/C")
        let maps = try FileManager.default.contentsOfDirectory(atPath: c.path).flatMap { ["-I", "\(c.path)/\($0)"] }
        let folder = try TemporaryFolder()
        let code = "import AlmanacFlags\nfunc isNew(_ flags: FlagValues) -> Bool { flags[.newBasket] }\n"
        let file = try folder.write("App.swift", Array(code.utf8))
        let keys = here.deletingLastPathComponent().appending(path: "GeneratedFlagKeys.swift").path
        let outcome = try Command.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-default-isolation", isolation, "-I", modules] + maps + [file, keys])
        #expect(outcome.errors == "")
    }
}
