import AlmanacTestSupport
import Testing
import TextMerge

@Suite struct EncodedDeltaTests {
    /// Deltas in every form: vectors that other implementations must pass too.
    static let vectors:
        [(base: String, result: String, canonical: [DeltaElement], list: [DeltaElement], string: String)] = [
            ("", "", [], [], ""),
            ("same", "same", [4], [.pair(0, "same")], "=4"),
            ("", "new", ["new"], [.pair(1, "new")], "+new"),
            ("gone", "", [-4], [.pair(-1, "gone")], "-4"),
            (
                "keep this old end", "keep this new end", [10, -3, "new", 4],
                [.pair(0, "keep this "), .pair(-1, "old"), .pair(1, "new"), .pair(0, " end")], "=10\t-3\t+new\t=4"
            ),
            (
                "a😀b", "a😁b", [1, -2, "😁", 1],
                [.pair(0, "a"), .pair(-1, "😀"), .pair(1, "😁"), .pair(0, "b")],
                "=1\t-2\t+%F0%9F%98%81\t=1"
            ),
            (
                "ab", "a100%\t[x]\n\"é\"\\ b", [1, "100%\t[x]\n\"é\"\\ ", 1],
                [.pair(0, "a"), .pair(1, "100%\t[x]\n\"é\"\\ "), .pair(0, "b")],
                "=1\t+100%25%09%5Bx%5D%0A%22%C3%A9%22%5C \t=1"
            ),
            // The text has the characters that encodeURI does not escape; the next has ASCII's other punctuation.
            (
                "", "A-Za-z0-9;,/?:@&=+$-_.!~*'()#", ["A-Za-z0-9;,/?:@&=+$-_.!~*'()#"],
                [.pair(1, "A-Za-z0-9;,/?:@&=+$-_.!~*'()#")], "+A-Za-z0-9;,/?:@&=+$-_.!~*'()#"
            ),
            (
                "", "\"%<>[\\]^`{|}\u{7F}", ["\"%<>[\\]^`{|}\u{7F}"], [.pair(1, "\"%<>[\\]^`{|}\u{7F}")],
                "+%22%25%3C%3E%5B%5C%5D%5E%60%7B%7C%7D%7F"
            ),
            ("e", "e\u{301}", [1, "\u{301}"], [.pair(0, "e"), .pair(1, "\u{301}")], "=1\t+%CC%81"),
        ]

    @Test(arguments: vectors.indices)
    func `all three forms are read and written`(index: Int) throws {
        let (base, result, canonical, list, string) = EncodedDeltaTests.vectors[index]
        let deltas = [try EncodedDelta(canonical), try EncodedDelta(list), try EncodedDelta(string)]
        for delta in deltas {
            #expect(delta.delta == deltas[0].delta)
            #expect(try delta.apply(to: base).units == result.units)
        }
        #expect(deltas.map(\.form) == [.canonical, list.isEmpty ? .canonical : .diffList, .deltaString])
        #expect(deltas[0].delta.elements == canonical)
        #expect(try deltas[0].delta.diffList(of: base) == list)
        #expect(deltas[0].delta.deltaString == string)
        #expect(deltas[0].base == nil)
        #expect(deltas[1].base?.units == (list.isEmpty ? nil : base.units))
    }

    @Test func `parts without text in a diff list mean nothing, as the real library writes them`() throws {
        let list: [DeltaElement] = [
            .pair(1, ""), .pair(0, "keep "), .pair(-1, ""), .pair(-1, "gone"), .pair(1, ""), .pair(1, "new"),
            .pair(0, ""),
        ]
        let written = try EncodedDelta(list)
        #expect(written.delta.elements == [5, -4, "new"])
        #expect(try written.apply(to: "keep gone") == "keep new")
        #expect(try EncodedDelta([.pair(1, ""), .pair(-1, ""), .pair(0, "")]).apply(to: "") == "")
        #expect(try EncodedDelta([.pair(0, "")]).delta == Delta())
    }

    @Test func `steps that could be fewer are joined`() throws {
        #expect(try EncodedDelta([6, 6, "n", "ew", -1, -2]).delta.elements == [12, -3, "new"])
        #expect(try EncodedDelta("=6\t=6\t+n\t-1\t+ew\t-2").delta.elements == [12, -3, "new"])
        #expect(
            try EncodedDelta([.pair(0, "a"), .pair(0, "b"), .pair(1, "x"), .pair(-1, "c")]).delta.elements == [
                2, -1, "x",
            ])
    }

    @Test(
        arguments: [
            ([0], .emptyOperation, 0),
            ([1, 0], .emptyOperation, 1),
            ([""], .emptyOperation, 0),
            ([1, "a", "", 2], .emptyOperation, 2),
            ([2_147_483_648], .badLength, 0),
            ([1, -2_147_483_648], .badLength, 1),
            ([.integer(.max)], .badLength, 0),
            ([.integer(.min)], .badLength, 0),
            ([1, .other], .wrongKind, 1),
            ([.other], .wrongKind, 0),
            ([1, .pair(0, "a")], .wrongKind, 1),
            ([.pair(0, "a"), 1], .wrongKind, 1),
            ([.pair(0, "a"), "b"], .wrongKind, 1),
            ([.pair(0, "a"), .other], .wrongKind, 1),
            ([.pair(2, "a")], .unknownOperation, 0),
            ([.pair(0, "a"), .pair(-2, "a")], .unknownOperation, 1),
            ([.pair(.min, "a")], .unknownOperation, 0),
            ([2_147_483_647, 1], .tooLong, 1),
            ([-2_147_483_647, "a", -1], .tooLong, 2),
            ([2_147_483_647, "a"], .tooLong, 1),
        ] as [([DeltaElement], DeltaFailure.Reason, Int?)])
    func `a malformed array is refused, with the place`(
        elements: [DeltaElement], reason: DeltaFailure.Reason, position: Int?
    ) throws {
        let failure = try #require(throws: DeltaFailure.self) { try EncodedDelta(elements) }
        #expect(failure.reason == reason)
        #expect(failure.position == position)
    }

    @Test(
        arguments: [
            ("\t", .emptyOperation, 0),
            ("=1\t", .emptyOperation, 1),
            ("\t=1", .emptyOperation, 0),
            ("=1\t\t=1", .emptyOperation, 1),
            ("=0", .emptyOperation, 0),
            ("-0", .emptyOperation, 0),
            ("=1\t+", .emptyOperation, 1),
            ("=", .badLength, 0),
            ("-", .badLength, 0),
            ("=00", .badLength, 0),
            ("=01", .badLength, 0),
            ("=-1", .badLength, 0),
            ("=+1", .badLength, 0),
            ("= 1", .badLength, 0),
            ("=1 ", .badLength, 0),
            ("=1.0", .badLength, 0),
            ("=1e3", .badLength, 0),
            ("=0x1", .badLength, 0),
            ("=١", .badLength, 0),
            ("=2147483648", .badLength, 0),
            ("=99999999999999999999", .badLength, 0),
            ("=2147483647\t=1", .tooLong, 1),
            ("=9999999999", .badLength, 0),
            ("12", .unknownOperation, 0),
            (" =1", .unknownOperation, 0),
            ("=1\n-1", .badLength, 0),
            ("*1", .unknownOperation, 0),
            ("é", .unknownOperation, 0),
            ("+%", .badEscape, 0),
            ("=1\t+%4", .badEscape, 1),
            ("+a%zz", .badEscape, 0),
            ("+%4g", .badEscape, 0),
            ("+%+1", .badEscape, 0),
            ("+%C3", .badEscape, 0),
            ("+%C3a", .badEscape, 0),
            ("+%A9", .badEscape, 0),
            ("+%C0%80", .badEscape, 0),
            ("+%ED%A0%80", .badEscape, 0),
            ("+%F4%90%80%80", .badEscape, 0),
            ("+%FF", .badEscape, 0),
            ("+%23", .badEscape, 0),
            ("+%2b", .badEscape, 0),
            ("+%u0041", .badEscape, 0),
        ] as [(String, DeltaFailure.Reason, Int?)])
    func `a malformed delta string is refused, with the place`(
        string: String, reason: DeltaFailure.Reason, position: Int?
    ) throws {
        let failure = try #require(throws: DeltaFailure.self) { try EncodedDelta(string) }
        #expect(failure.reason == reason)
        #expect(failure.position == position)
    }

    @Test(arguments: [
        ("+%c3%a9", "é"), ("+é", "é"), ("+%41", "A"), ("+a%20b c", "a b c"), ("+<\n>", "<\n>"), ("+%00", "\0"),
    ])
    func `escapes that all readers take alike are taken`(string: String, text: String) throws {
        #expect(try EncodedDelta(string).apply(to: "").units == text.units)
    }

    @Test func `too many parts are refused before they are looked at`() throws {
        let limit = EncodedDelta.defaultLimit
        #expect(try EncodedDelta(Array(repeating: 1, count: limit)).delta.baseLength == limit)
        #expect(throws: DeltaFailure.self) { try EncodedDelta(Array(repeating: .other, count: limit + 1)) }
        #expect(try EncodedDelta("=1\t=1", limit: 2).delta.baseLength == 2)
        for failure in [
            #expect(throws: DeltaFailure.self) { try EncodedDelta([1, 0, 1], limit: 2) },
            #expect(throws: DeltaFailure.self) { try EncodedDelta("=1\t=0\t=1", limit: 2) },
        ] {
            #expect(failure?.reason == .tooManyOperations(limit: 2))
        }
    }

    @Test func `many small pieces are joined in linear time`() throws {
        let pieces = Array(repeating: DeltaElement.text("0123456789"), count: 100_000)
        #expect(try EncodedDelta(pieces).delta.resultLength == 1_000_000)
    }

    @Test(
        arguments: [
            ("keep gone", 1, 5), ("keep gon", 1, 8), ("keep gonee", nil, 9), ("", 0, 0), ("Keep gone", 0, 0),
            ("keep\u{A0}gone", 0, 4),
        ] as [(String, Int?, Int)])
    func `a diff list is applied only to the text that it spells out`(base: String, position: Int?, offset: Int) throws
    {
        let written = try EncodedDelta([.pair(0, "keep "), .pair(-1, "Gone"), .pair(1, "new")])
        let spelled = try EncodedDelta([.pair(0, "keep "), .pair(-1, "gone"), .pair(1, "new")])
        #expect(try spelled.apply(to: "keep gone") == "keep new")
        let failure = try #require(throws: DeltaFailure.self) {
            try (base == "keep gone" ? written : spelled).apply(to: base)
        }
        #expect(failure.reason == .textDiffers(offset: offset))
        #expect(failure.position == position)
    }

    @Test func `a diff list is held to the bytes, not to canonical equivalence`() throws {
        let written = try EncodedDelta([.pair(0, "é")])
        #expect(throws: DeltaFailure.self) { try written.apply(to: "e\u{301}") }
    }

    @Test func `random deltas read back from every form`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 500, standard: 1000, long: 20_000) {
            let base = random.text()
            let result = random.edit(base)
            let delta = Delta.between(base, result)
            #expect(try EncodedDelta(delta.elements).delta == delta, "\(random.note)")
            #expect(try EncodedDelta(delta.deltaString).delta == delta, "\(random.note)")
            let list = try EncodedDelta(try delta.diffList(of: base))
            #expect(list.delta == delta, "\(random.note)")
            #expect(try list.apply(to: base).units == result.units, "\(random.note)")
        }
    }
}
