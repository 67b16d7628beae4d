import Testing

@testable import AlmanacImporting

@Suite struct UniqueNamesTests {
    @Test func `equal names get numbers, and names differ by their bytes`() {
        var names = UniqueNames()
        let given = ["on", "on", "on-2", "on", "é", "e\u{301}"].map { names.add($0) }
        #expect(given == ["on", "on-2", "on-2-2", "on-3", "é", "e\u{301}"])
        #expect(Set(given.map { Array($0.utf8) }).count == given.count)
        #expect(names.add("on", separator: " ") == "on 4")
    }

    @Test func `a hundred thousand equal names take linear time`() {
        var names = UniqueNames()
        var last = ""
        for _ in 0..<100_000 { last = names.add("variation") }
        #expect(last == "variation-100000")
    }
}
