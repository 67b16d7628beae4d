// A search for rules and contexts that end the process, or that exceed the time or memory of a request.
//
//     almanac-load-rules SECONDS [SEED]     runs cases in child processes, and prints the costliest
//     almanac-load-rules --cases SEED COUNT runs cases in this process
import AlmanacPOSIX
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.dropFirst().first) {
case ("--cases"?, let seed?):
    CaseRunner.run(from: UInt64(seed) ?? 0, count: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1)
case (let seconds?, let seed):
    guard let seconds = Int(seconds) else { fallthrough }
    let search = Search(seconds: seconds, seed: seed.flatMap { UInt64($0) } ?? .random(in: 0 ... .max))
    exit(try search.run() ? 0 : 1)
default:
    print("usage: almanac-load-rules SECONDS [SEED], or almanac-load-rules --cases SEED COUNT")
    exit(64)
}
