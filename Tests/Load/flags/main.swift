// A measurement of flag evaluations, and a comparison with flagd's outcomes.
//
//     almanac-load-flags                  prints the time and allocations of rules
//     almanac-load-flags --compare FILE   evaluates cases of Tests/OpenFeature/differential, and prints differences
import AlmanacTargeting
import Glibc

switch CommandLine.arguments.dropFirst().first {
case "--compare" where CommandLine.arguments.count == 3:
    var comparison = try Comparison(path: CommandLine.arguments[2])
    try comparison.run()
    comparison.report()
    exit(comparison.isClean ? 0 : 1)
default:
    var isMissed = false
    print("rule".padded(44) + "      ns  allocations of 1,000")
    for sample in try SampleRule.all() {
        let (nanoseconds, allocations) = sample.measured()
        if sample.hasGoal { isMissed = isMissed || nanoseconds > 1000 || allocations ?? 0 > 0 }
        print(
            sample.name.padded(44) + "\(Int(nanoseconds))".leftPadded(8)
                + (allocations.map { "\($0)" } ?? "-").leftPadded(13))
    }
    let (each, together) = try SampleSet().measured()
    print("\(SampleSet.count) flags in µs: \(Int(each)) each by itself, \(Int(together)) together")
    if isMissed { print("goal missed: a version and a split in 1 µs, without allocating memory") }
    exit(isMissed ? 2 : 0)
}
