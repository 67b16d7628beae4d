import AlmanacTargeting
import Foundation
import Testing

@testable import AlmanacImporting

/// The answers of a flag system's own client for callers, recorded by Tests/Importers/record.
///
/// Recordings/SYSTEM/answers.jsonl has an object `{"client", "now", "flags": [{"key", "values": […]}]}`, then a line
/// `{"context": {…}, "answers": […]}` for each caller: an index of the flag's values, -1 for the caller's
/// default, or -2 for an answer at random. The attributes have their names in the files.
struct Recording {
    let files: [SourceFile]
    let now: Int64
    let flags: [(key: String, values: [FlagValue])]
    let callers: [(attributes: [String: FlagValue], answers: [Int])]

    /// Reads a recording with the files of the system.
    init(_ system: SourceSystem, files names: [String]) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Recordings/\(system.rawValue)")
        func text(of name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        files = try names.map { SourceFile(name: $0, content: try FlagValue(json: try text(of: $0))) }
        let lines = try text(of: "answers.jsonl").split(separator: "\n").map { try FlagValue(json: String($0)) }
        let head = try #require(lines.first?.members)
        now = Int64(try #require(head["now"]?.number))
        flags = try (head["flags"]?.elements ?? []).map { flag in
            (try #require(flag.members?["key"]?.text), flag.members?["values"]?.elements ?? [])
        }
        callers = try lines.dropFirst().map { line in
            let context = try #require(line.members?["context"]?.members)
            let attributes = context.members.map { ($0.name, $0.value) }
            return (
                Dictionary(uniqueKeysWithValues: attributes),
                (line.members?["answers"]?.elements ?? []).compactMap { $0.number.map { Int($0) } }
            )
        }
    }

    /// Returns what the system's client answered.
    func answer(_ flag: Int, _ caller: Int) -> SourceAnswer {
        switch callers[caller].answers[flag] {
        case -1: .none
        case -2: .random
        case let index: .value(flags[flag].values[index])
        }
    }

    /// Checks that the reference and the translated flags answer as the system's client did.
    func check(_ project: ImportedProject) throws {
        let set = project.flagSet
        #expect(set.faults.isEmpty, "\(set.faults.prefix(3))")
        #expect(callers.count(where: { !$0.attributes.isEmpty }) >= 300)
        let keys = Dictionary(uniqueKeysWithValues: project.flags.map { ($0.source, $0.key) })
        for (index, caller) in callers.enumerated() {
            for (place, flag) in flags.enumerated() {
                let expected = answer(place, index)
                if expected == .random { continue }
                #expect(
                    project.reference.answer(flag.key, caller.attributes, now: now) == expected,
                    "reference of \(flag.key) for \(caller.attributes)")
                // A flag that cannot be kept has an answer of the reference alone.
                guard let key = keys[flag.key] else { continue }
                let context = EvaluationContext(project.attributes.context(caller.attributes))
                let found = set.evaluate(key, for: context, now: now).value
                #expect(found.map { .value($0) } ?? .none == expected, "\(flag.key) for \(caller.attributes)")
            }
        }
    }
}

extension FlagValue {
    var members: FlagObject? { if case .object(let object) = self { object } else { nil } }
    var elements: [FlagValue]? { if case .array(let array) = self { Array(array) } else { nil } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number.double } else { nil } }
}
