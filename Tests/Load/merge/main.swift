// A measurement of diff and merge.
//
//     almanac-load-merge                        prints a table
//     almanac-load-merge --hostile              prints a table for texts that are slow to compare
//     almanac-load-merge --rows                 prints name, diff and merge in microseconds, separated by tabs
//     almanac-load-merge --texts                prints the texts for other programs; fields end with U+0001
//     almanac-load-merge --corpus FOLDER        merges the cases of a corpus and judges the results; see Corpus
//     almanac-load-merge --corpus FOLDER FILE   judges another program's results
//     almanac-load-merge --case FOLDER NAME     prints the merged text of one case
import TextMerge

let samples = [1, 10, 100].flatMap { kilobytes in
    [false, true].map { SampleNote(kilobytes: kilobytes, rewrites: $0) }
}

switch CommandLine.arguments.dropFirst().first {
case "--texts":
    for sample in samples {
        for field in [sample.name, sample.base, sample.theirs, sample.mine] { print(field, terminator: "\u{1}") }
    }
case "--rows":
    for sample in samples {
        let (diffTime, mergeTime) = times(of: sample)
        print("\(sample.name)\t\(diffTime)\t\(mergeTime)")
    }
case "--hostile":
    print("text".padded(48) + "       diff ms  million steps  operations      merge ms")
    for pair in HostilePair.all() {
        var differ = Differ(from: pair.old, to: pair.new)
        var delta = Delta()
        // These texts take long, so measure them only once.
        let time = ContinuousClock().measure { delta = Delta(&differ) } / .microseconds(1)
        print(
            pair.name.padded(48) + .column(time / 1000, 14) + .column(Double(differ.steps) / 1e6, 15)
                + "\(delta.operations.count)".leftPadded(12) + .column(pair.mergeTime / .milliseconds(1), 14))
    }
case "--corpus" where CommandLine.arguments.count == 4:
    try Judgement(resultsIn: CommandLine.arguments[3], of: Corpus(folder: CommandLine.arguments[2])).report()
case "--corpus" where CommandLine.arguments.count == 3:
    var judgement = Judgement()
    for texts in try Corpus(folder: CommandLine.arguments[2]).cases {
        var merged = ""
        let time = ContinuousClock().measure {
            merged = ThreeWay.merge(base: texts.base, theirs: texts.theirs, mine: texts.mine).text
        }
        judgement.add(texts, merged: merged, milliseconds: time / .milliseconds(1))
    }
    judgement.report()
case "--case" where CommandLine.arguments.count == 4:
    for texts in try Corpus(folder: CommandLine.arguments[2]).cases where texts.name == CommandLine.arguments[3] {
        print(ThreeWay.merge(base: texts.base, theirs: texts.theirs, mine: texts.mine).text, terminator: "")
    }
default:
    print("note".padded(32) + "       diff µs      merge µs")
    for sample in samples {
        let (diffTime, mergeTime) = times(of: sample)
        print(sample.name.padded(32) + .column(diffTime, 14) + .column(mergeTime, 14))
    }
}

func times(of sample: SampleNote) -> (diff: Double, merge: Double) {
    (
        microseconds { _ = Delta.between(sample.base, sample.mine) },
        microseconds { _ = ThreeWay.merge(base: sample.base, theirs: sample.theirs, mine: sample.mine) }
    )
}
