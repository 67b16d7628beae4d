import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct ReadmeTests {
        @Test func `the README's curl lines work when pasted`() throws {
            // The first block starts the instance. The other blocks depend on each other.
            try paste(Array(Self.blocks(of: "README.md").dropFirst()), beginningWith: "url=")
        }

        @Test func `the lines about the command line work when pasted`() throws {
            try paste(Self.blocks(of: "deploy/COMMANDS.md"), beginningWith: "export ALMANAC_URL=")
        }

        private static func blocks(of page: String) throws -> [Substring] {
            let text = try String(decoding: File.read(Instance.current().checkout + "/" + page), as: UTF8.self)
            return text.split(separator: "```sh\n").dropFirst().map {
                $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex)
            }
        }

        /// The keys in the lines. The command line reports majors that retain an old value of such a key.
        private static let keys = ["app.limits", "app.theme", "new-checkout", "new-look", "new-ui", "sale.percent"]

        /// Retires majors that retain keys of other tests. Development's first major stays, because the lines read
        /// it.
        private func retireMajorsThatKeepKeys() throws {
            for environment in [try LiveEnvironment("development"), try LiveEnvironment("staging")] {
                let client = environment.client()
                let majors = try client.send("GET", environment.path("majors")).json().arrayValue ?? []
                for major in majors.compactMap(\.objectValue)
                where major["current"] == false && (major["major"] != 1 || environment.name == "staging") {
                    let kept = major["keeps"]?.arrayValue?.compactMap(\.stringValue) ?? []
                    guard !Set(kept).isDisjoint(with: Self.keys) else { continue }
                    let number = try #require(major["major"]).description
                    #expect(try client.send("DELETE", environment.path("majors/\(number)")).status == 200)
                }
            }
        }

        /// Runs lines in a shell in the checkout, as a user who pastes them, with the instance under test.
        private func paste(_ blocks: [Substring], beginningWith start: String) throws {
            let instance = try Instance.current()
            // Staging is empty in a new instance, so a promotion there replaces nothing.
            try LiveEnvironment("staging").reset()
            try retireMajorsThatKeepKeys()
            let block = blocks.joined()
            try #require(block.hasPrefix(start))
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
