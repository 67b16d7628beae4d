// Recorded evaluations, line by line as Tests/OpenFeature/flagd/cases.py writes them.

/// What all cases have in common.
private struct Header {
    let fractional: FractionalVersion
    let now: Int64
    let evaluators: FlagObject

    init?(_ line: FlagObject) {
        guard case .number(let version)? = line["version"], case .number(let now)? = line["now"],
            case .object(let evaluators)? = line["evaluators"]
        else { return nil }
        fractional = version.double == 2 ? .version2 : .version3
        self.now = Int64(now.double)
        self.evaluators = evaluators
    }
}

// Safe because there is one thread.
nonisolated(unsafe) private var header: Header?

/// Whether a flag comes out as the line says: 1 if so, 0 if not; the first line, which has no case, is 1 if it is read.
@c(targeting_case)
public func evaluate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // Safe because the caller keeps as many bytes there until this returns.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let read = try? FlagValue(json: bytes), case .object(let line) = read else { return 0 }
    guard let known = unsafe header else {
        unsafe header = Header(line)
        return unsafe header == nil ? 0 : 1
    }
    guard case .string(let key)? = line["key"], let flag = line["flag"], case .object(let context)? = line["context"],
        case .object(let expected)? = line["corrected"] ?? line["expected"],
        let definitions = FlagObject([FlagObject.Member(key, flag)])
    else { return 0 }
    let evaluation = FlagSet(definitions, evaluators: known.evaluators, fractional: known.fractional)
        .evaluate(key, for: EvaluationContext(context), now: known.now)
    let isSame =
        FlagValue.string(evaluation.reason.name) == expected["reason"] ?? .null
        && text(evaluation.error?.code) == expected["error"] ?? .null
        && text(evaluation.variant?.name) == expected["variant"] ?? .null
        && evaluation.value ?? .null == expected["value"] ?? .null
    return isSame ? 1 : 0
}

private func text(_ text: String?) -> FlagValue {
    if let text { .string(text) } else { .null }
}
