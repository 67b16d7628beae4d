import AlmanacTestSupport
import Testing

/// Tests of the documented commands in a fresh clone of the repository, with its own instance.
@Suite(.serialized, .enabled("the checkout is a git repository") { CleanClone.commit != nil })
struct DocumentedCommandsTests {
    private let clone: CleanClone

    init() throws { clone = try CleanClone(try Instance.current()) }

    private func blocks(of page: String) throws -> [String] {
        try clone.page(page).split(separator: "```sh\n").dropFirst().compactMap {
            $0.split(separator: "```").first.map(String.init)
        }
    }

    @Test func `a clean clone answers after the README's first lines`() throws {
        let blocks = try blocks(of: "README.md")
        try #require(blocks.count > 1)
        #expect(blocks[0].hasPrefix("deploy/run "))
        // Without `--detach`, the first command would stay in the foreground.
        #expect(try clone.page("README.md").contains("after `deploy/run --detach`"))
        let started = try clone.paste("deploy/run --detach")
        try #require(started.status == 0, "\(started.output)\(started.errors)")
        #expect(started.errors == "")
        let outcome = try clone.paste(blocks[1])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors == "")
        #expect(!outcome.output.contains("urn:almanac:problem"), "\(outcome.output)")
        let answers = outcome.output.split(separator: "\n")
        #expect(
            answers.first?.contains(##""key":"app.background.color","value":"#FFB6C1""##) == true,
            "\(outcome.output)")
        #expect(answers.contains { $0.contains(#""dark""#) })
    }

    @Test func `the lines of the operating chapters work when pasted`() throws {
        let blocks = try ["OPERATING", "operating/night", "operating/sizing", "operating/people"].flatMap {
            try self.blocks(of: "deploy/\($0).md")
        }
        try #require(blocks.count > 5)
        let started = try clone.paste("deploy/run --detach")
        try #require(started.status == 0, "\(started.output)\(started.errors)")
        let outcome = try clone.paste("set -x\n" + blocks.joined())
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors.suffix(3000))")
        // The commands leave no files and no new environments behind.
        let left = try clone.paste(
            "git status --porcelain; .almanac/bin/almanac environment list --environments "
                + ".almanac/environments.json")
        #expect(
            left.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["development", "staging"],
            "\(left.output)")
    }
}
