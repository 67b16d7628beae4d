import AlmanacPOSIX

/// The quality of a corpus's merges by kind: cases, exact results, damaged words, and milliseconds.
struct Judgement {
    private var rows: [String: Row] = [:]
    private var faults: [String] = []

    private struct Row {
        var cases = 0
        var exact = 0
        var wovenCases = 0
        var woven = 0
        var lostCases = 0
        var lost = 0
        var doubled = 0
        var milliseconds = 0.0
        var maxMilliseconds = 0.0
    }

    mutating func add(_ texts: Corpus.Case, merged: String, milliseconds: Double) {
        let verdict = Verdict(merged, of: texts)
        var row = rows[texts.kind] ?? Row()
        row.cases += 1
        row.exact += verdict.isExact ? 1 : 0
        row.woven += verdict.woven.count
        row.wovenCases += verdict.woven.isEmpty ? 0 : 1
        row.lost += verdict.lost.count
        row.lostCases += verdict.lost.isEmpty ? 0 : 1
        row.doubled += verdict.doubled.count
        row.milliseconds += milliseconds
        row.maxMilliseconds = max(row.maxMilliseconds, milliseconds)
        rows[texts.kind] = row
        if !verdict.isExact, texts.kind != "merge-conflict" { faults.append("\(texts.kind) \(texts.name) not exact") }
        for (fault, words) in [("woven", verdict.woven), ("lost", verdict.lost), ("doubled", verdict.doubled)] {
            for word in words { faults.append("\(texts.kind) \(texts.name) \(fault) \(Substring(word))") }
        }
    }

    func report() {
        print("kind              cases  exact       %   woven (cases)    lost (cases)  doubled        ms  longest")
        for (kind, row) in rows.sorted(by: { $0.key < $1.key }) {
            print(
                kind.padded(16) + "\(row.cases)".leftPadded(7) + "\(row.exact)".leftPadded(7)
                    + .column(Double(row.exact) * 100 / Double(row.cases), 8)
                    + "\(row.woven)".leftPadded(8) + "(\(row.wovenCases))".leftPadded(8)
                    + "\(row.lost)".leftPadded(8) + "(\(row.lostCases))".leftPadded(8)
                    + "\(row.doubled)".leftPadded(9) + .column(row.milliseconds, 10) + .column(row.maxMilliseconds, 9))
        }
        for fault in faults { print(fault) }
    }
}

extension Judgement {
    /// Judges another program's results: name, milliseconds and text of each case, each field ended by U+0001.
    init(resultsIn file: String, of corpus: Corpus) throws {
        self.init()
        let fields = try File.read(file, limit: 1 << 30).split(separator: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let cases = Dictionary(uniqueKeysWithValues: corpus.cases.map { ($0.name, $0) })
        for start in stride(from: 0, to: fields.count - 2, by: 3) {
            guard let texts = cases[fields[start]] else { continue }
            add(texts, merged: fields[start + 2], milliseconds: Double(fields[start + 1]) ?? 0)
        }
    }
}
