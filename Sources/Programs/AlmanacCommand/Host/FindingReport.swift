internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacPOSIX

/// Prints findings: each immediately as text, or all at the end as JSON.
final class FindingReport {
    private let isJSON: Bool
    private var findings: [Finding] = []

    init(isJSON: Bool) { self.isJSON = isJSON }

    func add(_ finding: Finding) throws {
        findings.append(finding)
        if !isJSON { try Process.output(Self.text(finding)) }
    }

    func end() throws -> ExitStatus {
        let failures = findings.filter { $0.outcome == .failed }.count
        if isJSON {
            try Output.json(["healthy": .boolean(failures == 0), "findings": .array(findings.map(Self.json))])
        } else {
            try Process.output(failures == 0 ? "\nno check failed\n" : "\n\(failures) failed\n")
            let skipped = findings.filter { $0.outcome == .skipped }
                .map { $0.place.isEmpty ? $0.check : "\($0.check) (\($0.place))" }
            if !skipped.isEmpty { try Process.output("not checked: \(skipped.joined(separator: ", "))\n") }
        }
        return failures == 0 ? .success : .failed
    }

    private static func text(_ finding: Finding) -> String {
        let word =
            switch finding.outcome {
            case .good: "ok  "
            case .warning: "WARN"
            case .failed: "FAIL"
            case .skipped: "--  "
            }
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let text = finding.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let line = "\(word)  \(padded(finding.check, 17))  \(padded(finding.place, 12))  \(text)\n"
        return finding.advice.isEmpty ? line : line + "      -> \(finding.advice)\n"
    }

    private static func json(_ finding: Finding) -> JSONValue {
        [
            "outcome": .string(finding.outcome.rawValue), "check": .string(finding.check),
            "place": .string(finding.place), "text": .string(finding.text), "advice": .string(finding.advice),
        ]
    }
}
