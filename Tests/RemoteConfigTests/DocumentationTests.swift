import Foundation
import RemoteConfig
import Support
import Testing

@Suite struct DocumentationTests {
    private let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    @Test func `every example of the documentation is compiled with the tests`() throws {
        let page = "Sources/RemoteConfig/RemoteConfig.docc/RemoteConfig.md"
        let text = try String(contentsOf: checkout.appending(path: page), encoding: .utf8)
        let source = "Tests/RemoteConfigTests/Examples.swift"
        let examples = try String(contentsOf: checkout.appending(path: source), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 6)
        // The examples stand deeper there, so lines are compared without the space at their start.
        let compiled = Self.lines(examples)
        for block in blocks { #expect(compiled.contains(Self.lines(block)), "\(block)") }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func `the examples do what the documentation says, without a network`() async throws {
        let folder = try TemporaryFolder()
        let nowhere = URL(string: "http://127.0.0.1:1/test")!
        let cache = URL(filePath: "\(folder.path)/cache")
        let (client, text) = await Examples.firstValue(environment: nowhere, cache: cache)
        #expect(text == "Meow")
        #expect(client.status.lastFailure != nil)
        #expect(try await Examples.container(client, bundle: cache) == 10)
        #expect(await Examples.document(cache: cache, address: nowhere).color == "red")
        let provider = ConfigProvider(Examples.Theme(color: "red"), remote: Examples.Mock())
        #expect(try await provider.updateConfig())
        #expect(provider.value.color == "blue")
    }
}
