internal import POSIX

Signal.takeOver()
do {
    try CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
} catch let failure as UsageFailure {
    Process.report("almanac: \(failure)\nTry: almanac --help")
    Process.end(status: 2)
} catch {
    Process.report("almanac: \(String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " "))")
    Process.end(status: 1)
}
