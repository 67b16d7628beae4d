// How long diff and merge take.
//
//     almanac-load-merge                        a table
//     almanac-load-merge --hostile              the same for texts that are made to take long
//     almanac-load-merge --rows                 lines of name, diff, merge, separated by tabs, in microseconds
//     almanac-load-merge --texts                the texts, for other programs to measure on: fields end with U+0001
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
    print("text".padded(48) + "       diff ms  million steps  operations")
    for pair in HostilePair.all() {
        var differ = Differ(from: pair.old, to: pair.new)
        let delta = differ.delta()
        let time = microseconds { _ = diff(from: pair.old, to: pair.new) }
        print(
            pair.name.padded(48) + .column(time / 1000, 14) + .column(Double(differ.steps) / 1e6, 15)
                + "\(delta.operations.count)".leftPadded(12))
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
        microseconds { _ = diff(from: sample.base, to: sample.mine) },
        microseconds { _ = merge(base: sample.base, theirs: sample.theirs, mine: sample.mine) }
    )
}
