import Testing
import TextMerge

@Suite struct DeltaTests {
    @Test(
        arguments: [
            ([.retain(1), .retain(2), .insert("a"), .insert("b"), .delete(1), .delete(1)], [3, -2, "ab"]),
            ([.insert("a"), .delete(1), .insert("b"), .delete(2), .retain(0), .insert("")], [-3, "ab"]),
            ([.retain(0), .delete(0), .insert("")], []),
            ([.delete(2), .insert("e"), .insert("\u{301}"), .retain(1)], [-2, "e\u{301}", 1]),
        ] as [([Delta.Operation], [DeltaElement])])
    func `operations are brought into normal form`(operations: [Delta.Operation], elements: [DeltaElement]) {
        #expect(Delta(operations).elements == elements)
    }

    @Test func `a delta knows the lengths of its texts in UTF-16 code units`() {
        let delta = Delta([.retain(3), .delete(2), .insert("😀é")])
        #expect(delta.baseLength == 5)
        #expect(delta.resultLength == 6)
    }

    @Test(
        arguments: [
            ("milk", [4, "\nbread"], "milk\nbread"),
            ("", [], ""),
            ("", ["new"], "new"),
            ("gone", [-4], ""),
            ("a😀b", [1, -2, "😁", 1], "a😁b"),
            ("a😀b", [3, -1], "a😀"),
            ("e\u{301}", [1, -1], "e"),
            ("\r\n", [1, "x", 1], "\rx\n"),
            ("👩‍👧", [2, -1, 2], "👩👧"),
            ("שלום", [2, "x", 2], "שלxום"),
        ] as [(String, [DeltaElement], String)])
    func `a delta is applied exactly`(base: String, elements: [DeltaElement], result: String) throws {
        #expect(try EncodedDelta(elements).apply(to: base).units == result.units)
    }

    @Test(
        arguments: [
            ("milk", [3], .baseLength(expected: 3, found: 4), nil),
            ("milk", [5], .baseLength(expected: 5, found: 4), nil),
            ("milk", [], .baseLength(expected: 0, found: 4), nil),
            ("milk", ["x"], .baseLength(expected: 0, found: 4), nil),
            ("milk", [4, -1, "x"], .baseLength(expected: 5, found: 4), nil),
            ("", [1], .baseLength(expected: 1, found: 0), nil),
            ("é", [2], .baseLength(expected: 2, found: 1), nil),
            ("a😀b", [2, "x", 2], .splitsSurrogatePair(offset: 2), 0),
            ("a😀b", [1, -1, 2], .splitsSurrogatePair(offset: 2), 1),
            ("😀", [1, -1], .splitsSurrogatePair(offset: 1), 0),
        ] as [(String, [DeltaElement], DeltaFailure.Reason, Int?)])
    func `a delta that does not fit is refused`(
        base: String, elements: [DeltaElement], reason: DeltaFailure.Reason, position: Int?
    ) throws {
        let delta = try EncodedDelta(elements)
        let failure = try #require(throws: DeltaFailure.self) { try delta.apply(to: base) }
        #expect(failure.reason == reason)
        #expect(failure.position == position)
        #expect(failure.description.hasSuffix("."))
    }

    @Test func `equality is by bytes, not by canonical equivalence`() {
        #expect(Delta([.insert("é")]) == Delta([.insert("é")]))
        #expect(Delta([.insert("é")]) != Delta([.insert("e\u{301}")]))
        #expect(Set([Delta([.insert("é")]), Delta([.insert("e\u{301}")])]).count == 2)
    }

    @Test(
        arguments: [([], true), ([4], true), ([4, "x"], false), (["x"], false), ([-1], false)]
            as [([DeltaElement], Bool)])
    func `the delta that changes nothing is known`(elements: [DeltaElement], isIdentity: Bool) throws {
        #expect(try EncodedDelta(elements).delta.isIdentity == isIdentity)
    }
}
