import Testing

@Suite struct PageTests {
    @Test func `every link of the documentation leads somewhere, and every path that it names exists`() throws {
        let pages = try SourceTree.pages()
        for path in [
            "README.md", "deploy/OPERATING.md", "deploy/operating/pages.md", "deploy/COMMANDS.md",
            "Tests/Load/README.md",
        ] {
            #expect(pages.contains { $0.path == path }, "\(path)")
        }
        #expect(pages.map(\.links.count).reduce(0, +) > 20)
        for page in pages {
            #expect(page.brokenLinks(among: pages, exists: SourceTree.exists) == [], "\(page.path)")
            #expect(page.pathsNamed.filter { !SourceTree.exists($0) } == [], "\(page.path)")
        }
    }

    @Test func `the README has 200 lines at most`() throws {
        let readme = try #require(try SourceTree.pages().first { $0.path == "README.md" })
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    }

    private let pages = [
        Page(
            path: "deploy/A.md",
            text: """
                # How `it` works, and what's next?
                ```
                # no heading, and [no link](nowhere.md)
                ```
                Run `deploy/run --detach`, see deploy/A.md. Or $home/deploy/b and `Sources/<Layer>`.
                """),
        Page(path: "README.md", text: "# Title\n## Two  words\n### Two words"),
    ]

    @Test(arguments: [
        "B.md", "../deploy/B.md", "A.md#next", "../README.md#titles", "#title", "../README.md/x", "../run#two-words",
    ])
    func `a link to no file or no heading is found`(link: String) {
        let page = Page(path: "deploy/B.md", text: "See [there](\(link)).\n# Other")
        #expect(page.brokenLinks(among: pages) { ["deploy/A.md", "README.md", "run"].contains($0) } == [link])
    }

    @Test(arguments: [
        "A.md", "../README.md", "A.md#how-it-works-and-whats-next", "../README.md#two-words", "#other",
        "https://example.com/x#y",
    ])
    func `a link to a file, a heading or another server is not`(link: String) {
        let page = Page(path: "deploy/B.md", text: "See [there](\(link)).\n# Other")
        let pages = pages + [page]
        #expect(page.brokenLinks(among: pages) { path in pages.contains { $0.path == path } } == [])
    }

    @Test func `links in code are none, articles are, and paths are those of the repository`() {
        #expect(pages[0].links == [])
        #expect(Page(path: "Sources/A.docc/A.md", text: "- <doc:First>").links == ["First.md"])
        #expect(pages[0].pathsNamed == ["deploy/run", "deploy/A.md"])
    }
}
