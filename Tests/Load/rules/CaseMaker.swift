import AlmanacTestRandomness

/// A generator of flags and contexts near the limits: long, deep and nested values, and values that grow.
struct CaseMaker {
    private var random: Randomness
    /// The number of bytes by which the document may still grow.
    private var bytesLeft = 900_000
    private var flagCount = 1

    init(seed: UInt64) { random = Randomness(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    /// Returns a count that is mostly small, and sometimes as large as the remaining bytes allow.
    private mutating func count(_ limit: Int) -> Int {
        let count = chance(60) ? below(4) : chance(70) ? below(60) : below(max(1, limit))
        return min(count, max(0, bytesLeft / 4))
    }

    /// Returns flags with their shared rules.
    mutating func document() -> String {
        flagCount = 1 + count(300)
        let rule = chance(30) ? self.rule(0) : nil
        var flags: [String] = []
        for number in 0..<flagCount where bytesLeft > 0 || number == 0 {
            // Some documents repeat the same rule, to find rules that are costly together.
            flags.append("\"f\(number)\":" + definition(rule ?? self.rule(0)))
        }
        var shared: [String] = []
        for number in 0..<count(40) {
            let inner = number == 0 ? #"{"==":[{"var":"text"},{"almanac.flag":"f0"}]}"# : #"{"$ref":"e\#(number - 1)"}"#
            shared.append("\"e\(number)\":{\"and\":[\(inner),\(inner)]}")
        }
        return "{\"flags\":{\(flags.joined(separator: ","))},\"$evaluators\":{\(shared.joined(separator: ","))}}"
    }

    private mutating func definition(_ rule: String) -> String {
        let variants = (0..<1 + count(4000)).map { "\"v\($0)\":\"\($0)\"" }.joined(separator: ",")
        let metadata = chance(10) ? ",\"metadata\":{\"owner\":\"\(text())\"}" : ""
        bytesLeft -= variants.utf8.count + rule.utf8.count + metadata.utf8.count
        return "{\"state\":\"ENABLED\",\"variants\":{\(variants)},\"defaultVariant\":\"v0\",\"targeting\":\(rule)"
            + metadata + "}"
    }

    /// Returns a context with many large attributes.
    mutating func context() -> String {
        bytesLeft = 1_000_000
        let kind = below(8)
        var members = [
            "\"targetingKey\":\"\(kind == 0 ? String(repeating: "k", count: 800_000) : "u1")\"",
            "\"text\":\"\(kind == 1 ? String(repeating: "ab", count: 400_000) : text())\"",
            "\"list\":\(kind == 2 ? "[" + repeated("\"group-7\"", 90_000) + "]" : list())",
            "\"many\":[\(repeated("1", kind == 3 ? 450_000 : 1400))]",
            "\"number\":\(kind == 4 ? "1." + String(repeating: "1", count: 800_000) : "7")",
            "\"deep\":\(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))",
        ]
        if kind == 5 {
            for number in 0..<15 { members.append("\"\(String(repeating: "n", count: 50_000))\(number)\":1") }
        }
        if kind == 6 { for number in 0..<50_000 { members.append("\"a\(number)\":\(number)") } }
        if kind == 7 { members.append("\"lists\":[\(repeated("[1,[2,\"x\"]]", 60_000))]") }
        return "{\(members.joined(separator: ","))}"
    }

    private func repeated(_ part: String, _ count: Int) -> String {
        Array(repeating: part, count: count).joined(separator: ",")
    }

    private mutating func text() -> String {
        String(repeating: pick(["a", "ab", "é", "1", ".", "x.", "9", "2026-07-01"]), count: count(50_000))
    }

    private mutating func list() -> String {
        "[" + repeated(pick(["1", "\"x\"", "[]", "null", "\"text\"", "[1,2]", "\"\""]), count(100_000)) + "]"
    }

    private mutating func name() -> String {
        pick([
            "text", "list", "many", "number", "deep", "lists", "", "current", "accumulator", "targetingKey", "$flagd",
            "$flagd.flagKey", "$flagd.timestamp", "many.length", "text.length", "deep.0.0.0", "a7", "list.0",
            "accumulator.length", "accumulator.0",
        ])
    }

    private static let plain = [
        "==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "and", "or", "!", "!!", "cat", "+", "-", "*", "/", "%",
        "min", "max", "substr", "merge", "missing", "missing_some", "if", "starts_with", "ends_with", "sem_ver",
        "almanac.date", "almanac.lower", "almanac.hashed", "almanac.padded", "?:",
    ]

    /// Returns a rule. Deeper rules are more often plain values.
    private mutating func rule(_ depth: Int) -> String {
        let rule = chance(max(5, 85 - depth * 12)) ? operation(depth) : leaf()
        bytesLeft -= 8
        return rule
    }

    private mutating func leaf() -> String {
        switch below(10) {
        case 0: return "\(below(100))"
        case 1: return "\"\(chance(50) ? "v\(below(3))" : text())\""
        case 2: return list()
        case 3: return pick(["null", "true", "false", "\"1.2.3\"", "\"<\"", "\">=\"", "\"2026-07-01\"", "[]"])
        default: return "{\"var\":\"\(name())\"}"
        }
    }

    private mutating func arguments(_ limit: Int, _ depth: Int) -> String {
        (0..<1 + below(limit)).map { _ in rule(depth + 1) }.joined(separator: ",")
    }

    private mutating func operation(_ depth: Int) -> String {
        let inner = depth + 1
        switch below(20) {
        case 0...2:
            // The accumulator grows from its previous value.
            let accumulator = "{\"var\":\"accumulator\"}"
            let body = pick([
                "[\(accumulator),\(accumulator)]", "{\"cat\":[\(accumulator),\(accumulator)]}",
                "{\"merge\":[\(accumulator),\(accumulator)]}", "{\"merge\":[\(accumulator),1]}",
                "{\"cat\":[\(accumulator),\"x\"]}", "{\"map\":[\(accumulator),\(accumulator)]}",
                "{\"var\":\"\"}", String(repeating: "[", count: 50) + accumulator + String(repeating: "]", count: 50),
                "[\(accumulator),{\"var\":\"current\"}]", rule(inner),
            ])
            return "{\"reduce\":[\(leaf()),\(body),\(leaf())]}"
        case 3...5:
            return "{\"\(pick(["map", "filter", "all", "some", "none"]))\":[\(rule(inner)),\(rule(inner))]}"
        case 6: return "{\"var\":[\(rule(inner)),\(rule(inner))]}"
        case 7: return "[\(arguments(4, depth))]"
        case 8:
            let part = pick(["x", "[a-z0-9]", ".", "(a|b|c)", "\\\\d", "[^a]"])
            let repetition = pick(["*", "+", "{3}", "{99}", "{999}", "?", ""])
            return "{\"almanac.matches\":[\(rule(inner)),\"\(part)\(repetition)\(part)*$\"]}"
        case 9:
            let buckets = (0..<1 + count(2000)).map { "[\"v\($0 % 3)\",\(1 + $0 % 5)]" }.joined(separator: ",")
            return "{\"fractional\":[\(chance(50) ? "{\"cat\":[\(arguments(3, depth))]}" : rule(inner)),\(buckets)]}"
        case 10:
            return "{\"almanac.ramp\":[\(rule(inner)),[[\"2026-07-01\",10],[\"2026-08-01\",90]],\"v0\",\"v1\"]}"
        case 11: return "{\"almanac.flag\":\"f\(below(flagCount))\"}"
        case 12: return "{\"$ref\":\"e\(below(30))\"}"
        case 13:
            let branches = (0..<1 + count(300)).map { "{\"==\":[{\"var\":\"\(name())\"},\($0)]},\"v1\"" }
            return "{\"if\":[\(branches.joined(separator: ",")),\(rule(inner))]}"
        case 14:
            let equal = "{\"==\":[{\"var\":\"\(name())\"},{\"var\":\"\(name())\"}]}"
            return "{\"or\":[\(repeated(equal, 1 + count(600))),\(rule(inner))]}"
        default: return "{\"\(pick(Self.plain))\":[\(arguments(3, depth))]}"
        }
    }
}
