import AlmanacPOSIX
import AlmanacTargeting

/// The cases from Tests/OpenFeature/flagd/cases.py, compared with this library's outcomes.
struct Comparison {
    private let header: FlagObject
    private let cases: [FlagObject]
    private var equal = 0
    private var corrections: [String: Int] = [:]
    private var crashes = 0
    private var differences = 0

    private struct Malformed: Error {}

    init(path: String) throws {
        let lines = try File.read(path, limit: 1 << 30).split(separator: UInt8(ascii: "\n"))
        let objects = try lines.map { line in
            guard case .object(let object) = try FlagValue(json: Array(line)) else { throw Malformed() }
            return object
        }
        guard let header = objects.first else { throw Malformed() }
        self.header = header
        cases = Array(objects.dropFirst())
    }

    var isClean: Bool { differences == 0 && equal > 0 }

    mutating func run() throws {
        guard case .number(let version)? = header["version"], case .number(let now)? = header["now"],
            case .object(let evaluators)? = header["evaluators"]
        else { throw Malformed() }
        for entry in cases {
            guard case .string(let key)? = entry["key"], let flag = entry["flag"],
                case .object(let context)? = entry["context"], let expected = entry["expected"],
                let definitions = FlagObject([FlagObject.Member(key, flag)])
            else { throw Malformed() }
            let set = FlagSet(
                definitions, evaluators: evaluators, fractional: version.double == 2 ? .version2 : .version3)
            let evaluation = set.evaluate(key, for: EvaluationContext(context), now: Int64(now.double))
            judge(entry, Outcome(evaluation), Outcome(expected))
        }
    }

    private mutating func judge(_ entry: FlagObject, _ outcome: Outcome, _ expected: Outcome) {
        if outcome == expected {
            equal += 1
        } else if let corrected = entry["corrected"], Outcome(corrected) == outcome {
            guard case .array(let names)? = entry["corrections"] else { return }
            for case .string(let name) in names { corrections[name, default: 0] += 1 }
            equal += 1
        } else if expected.reason == "crash" {
            crashes += 1
        } else {
            differences += 1
            if differences <= 20 { print("differs: \(outcome)\n  \(FlagValue.object(entry).json)") }
        }
    }

    func report() {
        print("\(cases.count) cases, \(equal) equal, of which after a correction of the reference:")
        for (name, count) in corrections.sorted(by: { $0.value > $1.value }) {
            print("\(count)".leftPadded(9) + "  \(name)")
        }
        print("\(crashes) on which the reference fails with an error of its own")
        print("\(differences) that differ")
    }
}

private struct Outcome: Equatable {
    let reason: String
    var error: String?
    var variant: String?
    var value: FlagValue?

    init(_ evaluation: Evaluation) {
        reason = evaluation.reason.name
        error = evaluation.error?.code
        variant = evaluation.variant?.name
        value = evaluation.value
    }

    init(_ written: FlagValue) {
        guard case .object(let written) = written, case .string(let reason)? = written["reason"] else {
            reason = "crash"
            return
        }
        self.reason = reason
        if case .string(let text)? = written["error"] { error = text }
        if case .string(let text)? = written["variant"] { variant = text }
        switch written["value"] {
        case nil, .null?: break
        case let found?: value = found
        }
    }
}
