import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct ReadmeTests {
        @Test func `the README's curl lines work when pasted`() throws {
            let instance = try Instance.current()
            let readme = try String(decoding: File.read(instance.checkout + "/README.md"), as: UTF8.self)
            // The first block is the two commands; the others build on one another.
            let blocks = readme.split(separator: "```sh\n").dropFirst(2).compactMap { $0.split(separator: "```").first }
            let block = blocks.joined()
            try #require(block.hasPrefix("url="))
            let lines = block.replacing("https://localhost:8443", with: instance.url)
                .replacing(".almanac/", with: instance.home + "/")
                .replacing("curl --silent", with: "curl --fail-with-body --silent")
            try #require(lines != block)
            let outcome = try Command.run("bash", ["-euo", "pipefail", "-c", lines])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(!outcome.output.contains("urn:almanac:problem"))
            #expect(outcome.errors == "")
        }
    }
}
