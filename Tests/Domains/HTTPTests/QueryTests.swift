import AlmanacHTTP
import Testing

@Suite struct QueryTests {
    private func query(_ text: String) throws -> Query { try Target("/?" + text).query }

    @Test(
        arguments: [
            ("a=1", "a", "1"), ("a=1&b=2", "b", "2"), ("a", "a", ""), ("a=", "a", ""), ("=x", "", "x"),
            ("a=b=c", "a", "b=c"), ("a=x+y", "a", "x y"), ("a=x%2By", "a", "x+y"), ("a+b=1", "a b", "1"),
            ("a=%26%3D%25", "a", "&=%"), ("%61=1", "a", "1"), ("a=%C3%A9", "a", "é"), ("a=1&&b=2&", "b", "2"),
            ("since=2020-10-17T18:43:19.000+02:00", "since", "2020-10-17T18:43:19.000 02:00"),
        ])
    func `a parameter is decoded`(text: String, name: String, expected: String) throws {
        #expect(try bytes(query(text)[name]) == bytes(expected))
    }

    @Test func `a parameter that isn't given has no value`() throws {
        #expect(try query("a=1")["b"] == nil)
        #expect(try query("a=1")["A"] == nil)
        #expect(try query("").isEmpty)
        #expect(try query("&&").isEmpty)
        #expect(try !query("a").isEmpty)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "%ff=1", "a=%C3%28", "a=%ED%A0%80"])
    func `an escape that is malformed or no UTF-8 is refused`(text: String) {
        #expect(problem { try query(text) }?.kind == .invalidParameter)
    }

    @Test(arguments: ["a=1&a=2", "a=1&a=1", "a&b&a", "a=1&%61=2"])
    func `a parameter given twice is refused by its name`(text: String) {
        let problem = problem { try query(text) }
        #expect(problem?.kind == .invalidParameter)
        #expect(problem?.detail.contains("'a'") == true)
    }

    @Test func `a query has 32 parameters at most, whatever their names`() throws {
        func query(of count: Int) -> String { (0..<count).map { "p\($0)=" }.joined(separator: "&") }
        #expect(try self.query(query(of: 32))["p31"] == "")
        #expect(problem { try self.query(query(of: 33)) }?.kind == .invalidParameter)
        // The cost is bounded: parsing stops at the first excess parameter, before the errors behind it.
        let problem = problem { try self.query(query(of: 8000) + "&p0=&%zz") }
        #expect(problem?.detail == "the query has more than 32 parameters")
    }

    @Test func `names count as the same by their bytes only`() throws {
        let query = try query("%C3%A9=1&e%CC%81=2&a=3&\u{301}b=4")
        #expect(query["\u{e9}"] == "1")
        #expect(query["e\u{301}"] == "2")
        #expect(query["a"] == "3")
        #expect(query["\u{301}b"] == "4")
    }

    @Test func `a parameter that a call doesn't know is refused, with what it knows`() throws {
        let query = try query("since=1&snice=2")
        let problem = problem { try query.allow("since", "version") }
        #expect(problem?.kind == .invalidParameter)
        for name in ["'snice'", "'since'", "'version'"] { #expect(problem?.detail.contains(name) == true) }
        #expect(throws: Never.self) { try query.allow("since", "snice") }
        #expect(throws: Problem.self) { try query.allow() }
        #expect(throws: Never.self) { try self.query("").allow() }
    }

    @Test(arguments: [("0", 0), ("007", 7), ("10", 10)] as [(String, Int64)])
    func `a whole number in its range is read`(text: String, expected: Int64) throws {
        #expect(try query("n=\(text)").integer("n", in: 0...10) == expected)
    }

    @Test(arguments: ["", "11", "-1", "+1", "1.0", "1e1", "x", "%201", "٣", "9223372036854775808"])
    func `anything but a whole number in the range is refused, with the range`(text: String) {
        let problem = problem { try query("n=\(text)").integer("n", in: 1...10) }
        #expect(problem?.kind == .invalidParameter)
        #expect(problem?.detail.contains("'n'") == true)
        #expect(problem?.detail.contains("1 to 10") == true)
    }

    @Test func `a flag is true or false and nothing else`() throws {
        #expect(try query("f=true").boolean("f"))
        #expect(try !query("f=false").boolean("f"))
        #expect(try !query("").boolean("f"))
        #expect(try query("").integer("f", in: 0...1) == nil)
        for text in ["", "1", "True", "yes"] {
            #expect(problem { try query("f=\(text)").boolean("f") }?.kind == .invalidParameter)
        }
    }
}
