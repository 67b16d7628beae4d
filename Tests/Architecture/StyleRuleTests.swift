import Testing

@Suite struct StyleRuleTests {
    @Test(arguments: [(400, 0), (401, 1)])
    func `a file of more than 400 lines is found`(lines: Int, findings: Int) {
        let file = SourceFile(path: "Tests/Acceptance/Some.swift", text: String(repeating: "let a = 1\n", count: lines))
        #expect(Rule.filesStayShort.check(file).count == findings)
    }

    @Test(arguments: [
        ("SomeTests", "SomeTests", 1), ("SomeTests", "SomeExitTests", 1), ("SomeExitTests", "SomeExitTests", 0),
    ])
    func `an exit test in a suite of another name is found`(file: String, suite: String, findings: Int) {
        let text = "struct \(suite) {\n    func test() async { await #expect(processExitsWith: .failure) {} }\n}\n"
        let file = SourceFile(path: "Tests/Core/\(file).swift", text: text)
        #expect(Rule.exitTestsSaySo.check(file).count == findings)
    }

    @Test(arguments: [
        "/// " + String(repeating: "a", count: 117),
        "let a = \"" + String(repeating: "a", count: 111) + "\"",
        "// " + String(repeating: "é", count: 59),
    ])
    func `a line of more than 120 bytes is found`(line: String) {
        let file = SourceFile(path: "Tests/Acceptance/Some.swift", text: "let b = 1\n\(line)\n")
        #expect(line.utf8.count == 121 && Rule.linesStayShort.check(file).map(\.line) == [2])
    }

    @Test(arguments: [
        "/// " + String(repeating: "a", count: 116), "// a" + String(repeating: "é", count: 58), "let a = 1", "",
    ])
    func `a line of 120 bytes is not`(line: String) {
        let file = SourceFile(path: "Sources/Domains/Config/Some.swift", text: "\(line)\n\(line)\n")
        #expect(Rule.linesStayShort.check(file) == [])
    }

    @Test func `lines that a program has written may be longer`() {
        let line = "let a = \"" + String(repeating: "a", count: 200) + "\""
        let file = SourceFile(path: "Tests/Apps/Some.swift", text: "// swift-format-ignore-file\n\(line)\n")
        #expect(Rule.linesStayShort.check(file) == [])
    }

    @Test(arguments: [
        #"let a = "select key, value from config_entries""#,
        #"let a = "SELECT pg_notify($1, $2)""#,
        #"let a = "insert into config_entries values ($1)""#,
        #"let a = "update config_head set revision = \(revision)""#,
        #"let a = "delete from config_entries where key = $1""#,
        "let a = \"\"\"\n    with changed as (select 1)\n    select 2\n    \"\"\"",
        "let a = \"\"\"\n    -- all of them\n    select key from config_entries\n    \"\"\"",
        ##"let a = #"select "key" from config_entries"#"##,
        #"let a = "create table config_more (key text)""#,
    ])
    func `SQL without a name is found`(text: String) {
        let file = SourceFile(path: "Sources/Domains/Config/Storage/Some.swift", text: text)
        #expect(Rule.statementsAreNamed.check(file).map(\.line) == [1])
    }

    @Test(arguments: [
        "let a = \"\"\"\n    -- name: config_entries_read\n    select key from config_entries\n    \"\"\"",
        #"let a = "select one of the forms""#,
        #"let a = "update the client, then set the clock""#,
        #"let a = Route("DELETE", "/{environment}/config/{key}")"#,
        "// select key from config_entries",
    ])
    func `SQL with a name and prose are not`(text: String) {
        let file = SourceFile(path: "Sources/Domains/Config/Storage/Some.swift", text: text)
        #expect(Rule.statementsAreNamed.check(file) == [])
    }

    @Test(arguments: ["Sources/Platform/PostgreSQL/Some.swift", "Tests/Domains/ConfigTests/Some.swift"])
    func `SQL of the wrapper and of tests needs no name`(path: String) {
        let text = #"let a = "select key from config_entries""#
        #expect(Rule.statementsAreNamed.check(SourceFile(path: path, text: text)) == [])
    }

    @Test func `a doc comment that begins with a word such as What is found`() {
        let text = """
            /// What a revision is.
            struct A {
                /// The row, and
                /// what it holds.
                let b = "/// How it is called"
                // Whether it is so.
                ///  Whether the row is stale.
                let c = true
            }
            """
        let file = SourceFile(path: "Sources/Core/Some.swift", text: text)
        #expect(Rule.commentsBeginPlainly.check(file).map(\.line) == [1, 7])
    }
}
