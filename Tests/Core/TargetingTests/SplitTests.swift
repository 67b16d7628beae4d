import Testing

@testable import AlmanacTargeting

@Suite struct SplitTests {
    @Test(
        arguments: [
            ("", 0), ("a", 0x3C25_69B2), ("checkoutu1", 2_140_410_736),
            ("The quick brown fox jumps over the lazy dog", 0x2E4F_F723),
        ] as [(String, UInt32)]) func `hashes of texts are MurmurHash3's`(text: String, hash: UInt32)
    {
        var murmur = Murmur3()
        murmur.add(text)
        #expect(murmur.hash == hash)
    }

    @Test func `a text in two parts has the hash of its bytes`() {
        let text = "größer 😸 5f0c2c9e-7d0a"
        for end in text.unicodeScalars.indices {
            var (parts, bytes) = (Murmur3(), Murmur3())
            parts.add(String(text.unicodeScalars[..<end]))
            parts.add(String(text.unicodeScalars[end...]))
            for byte in text.utf8 { bytes.add(byte) }
            #expect(parts.hash == bytes.hash)
        }
    }

    @Test(
        arguments: [
            (#"["checkout","u1"]"#, 2_348_397_128), (#""u1""#, 1_978_848_823), ("1", 3_831_157_163),
            ("1.0", 3_831_157_163),
            ("1e0", 3_831_157_163), ("1.5", 346_941_878),
        ] as [(String, UInt32)]) func `hashes of values are those of their CBOR`(json: String, hash: UInt32) throws
    {
        var murmur = Murmur3()
        murmur.add(cbor: try FlagValue(json: json))
        #expect(murmur.hash == hash)
    }

    @Test(arguments: [FractionalVersion.version2, .version3])
    func `halves are halves`(version: FractionalVersion) throws {
        let set = try flagSet(#"{"fractional":[["on",50],["off",50]]}"#, fractional: version)
        let on = (0..<100_000).count { variant(of: set, "user-\($0)") == "on" }
        #expect((49_500...50_500).contains(on))
    }

    @Test(arguments: [FractionalVersion.version2, .version3])
    func `more percent move nobody out`(version: FractionalVersion) throws {
        let tenPercent = try flagSet(#"{"fractional":[["on",10],["off",90]]}"#, fractional: version)
        let twentyPercent = try flagSet(#"{"fractional":[["on",20],["off",80]]}"#, fractional: version)
        var counts = (0, 0)
        for number in 0..<100_000 {
            let user = "user-\(number)"
            let (before, after) = (variant(of: tenPercent, user) == "on", variant(of: twentyPercent, user) == "on")
            #expect(!before || after)
            counts = (counts.0 + (before ? 1 : 0), counts.1 + (after ? 1 : 0))
        }
        #expect((9500...10_500).contains(counts.0) && (19_500...20_500).contains(counts.1))
    }

    @Test func `a ramp grows with time and moves nobody out`() throws {
        let points = #"[["1970-01-01T00:00:00Z",10],["1970-01-01T00:01:00Z",20],["1970-01-01T00:02:00Z",20.5]]"#
        let set = try flagSet(#"{"almanac.ramp":[\#(points),"on"]}"#)
        #expect(set.faults.isEmpty && set.readsTime)
        var shares = [Int](repeating: 0, count: 9)
        for number in 0..<20_000 {
            var wasIn = false
            for step in shares.indices {
                let isIn = variant(of: set, "user-\(number)", now: Int64(step * 20 - 20)) == "on"
                #expect(!wasIn || isIn)
                if isIn { shares[step] += 1 }
                wasIn = isIn
            }
        }
        for (share, percent) in zip(shares, [10, 10, 13.33, 16.67, 20, 20.17, 20.33, 20.5, 20.5]) {
            #expect((Double(share) / 200 - percent).magnitude < 0.7)
        }
    }

    @Test func `a ramp goes by what it is told, and without that gives the other value`() throws {
        let set = try flagSet(#"{"almanac.ramp":[{"var":"team"},[["2020-01-01",100]],"on","off"]}"#)
        #expect(try set.answer(#"{"team":7}"#) == "on TARGETING_MATCH")
        #expect(try set.answer(#"{"targetingKey":"u"}"#) == "off TARGETING_MATCH")
    }

    @Test(arguments: [
        // The cases are a missing attribute, a number, a text, and a missing or invalid targeting key.
        (#"{"fractional":[{"var":"team"},["on",1]]}"#, #"{"targetingKey":"u"}"#, "on", "off"),
        (#"{"fractional":[{"var":"team"},["on",1]]}"#, #"{"targetingKey":"u","team":7}"#, "off", "on"),
        (#"{"fractional":[{"var":"team"},["on",1]]}"#, #"{"team":"blue"}"#, "on", "on"),
        (#"{"fractional":[["on",1]]}"#, "{}", "off", "off"),
        (#"{"fractional":[["on",1]]}"#, #"{"targetingKey":""}"#, "off", "off"),
        (#"{"fractional":[["on",1]]}"#, #"{"targetingKey":7}"#, "off", "off"),
        (#"{"fractional":[["on",{"-":[3,5]}],["off",{"/":[4,2]}]]}"#, #"{"targetingKey":"u"}"#, "off", "off"),
        (#"{"fractional":[["on",0],["off",0]]}"#, #"{"targetingKey":"u"}"#, "off", "off"),
        (#"{"fractional":[["on",2147483647],["on",1]]}"#, #"{"targetingKey":"u"}"#, "off", "off"),
    ]) func `what is split by depends on the version`(rule: String, context: String, two: String, three: String) throws
    {
        #expect(try flagSet(rule, fractional: .version2).answer(context).hasPrefix(two))
        #expect(try flagSet(rule, fractional: .version3).answer(context).hasPrefix(three))
    }

    @Test func `joined texts are split by as if they had been joined before`() throws {
        for version in [FractionalVersion.version2, .version3] {
            let joined = try flagSet(
                #"{"fractional":[{"cat":[{"var":"a"},7,{"var":"b"}]},["on",50],["off",50]]}"#, fractional: version)
            let whole = try flagSet(#"{"fractional":[{"var":"c"},["on",50],["off",50]]}"#, fractional: version)
            for number in 0..<200 {
                let text = "{\"a\":\"é\(number)\",\"b\":null,\"c\":\"é\(number)7\"}"
                let (first, second) = (try joined.answer(text), try whole.answer(text))
                #expect(first == second)
            }
        }
    }

    private func variant(of set: FlagSet, _ user: String, now: Int64 = 0) -> String? {
        let context = EvaluationContext(FlagObject([FlagObject.Member("targetingKey", .string(user))]) ?? FlagObject())
        return set.evaluate(0, for: context, now: now).variant?.name
    }
}
