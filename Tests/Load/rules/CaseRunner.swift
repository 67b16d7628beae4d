import AlmanacPOSIX
import AlmanacTargeting
import Glibc

/// A runner of cases in this process, on a thread like those for requests.
enum CaseRunner {
    /// The limits of a request: the processor time of its thread, and its memory.
    static let (timeLimitMilliseconds, memoryLimitMebibytes) = (250, 64)

    static func run(from first: UInt64, count: Int) {
        let isDone = Thread(name: "cases") {
            for number in 0..<count {
                let seed = first &+ UInt64(number)
                say("# \(seed)")
                attempt(seed)
            }
        }
        isDone.wait(upTo: .seconds(3600))
    }

    /// Prints a line without a buffer, so that the parent receives it even if this process ends.
    private static func say(_ line: String) {
        var bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, &bytes, bytes.count)
    }

    private static func attempt(_ seed: UInt64) {
        var maker = CaseMaker(seed: seed)
        let (document, context) = (maker.document(), maker.context())
        func measured<Result>(_ name: String, _ work: () -> Result) -> Result {
            let (start, memory) = (processorNanoseconds, peakResidentKibibytes)
            let result = work()
            let milliseconds = (processorNanoseconds - start) / 1_000_000
            let mebibytes = max(0, peakResidentKibibytes - memory) >> 10
            if milliseconds > timeLimitMilliseconds / 10 || mebibytes > memoryLimitMebibytes / 4 {
                say("\(milliseconds) ms \(mebibytes) MiB: \(name) of case \(seed)")
            }
            return result
        }
        let read = measured("reading") {
            (try? FlagValue(json: Array(document.utf8)), try? EvaluationContext(json: Array(context.utf8)))
        }
        guard let value = read.0, let context = read.1 else { return say("0 ms 0 MiB: no JSON in case \(seed)") }
        guard let set = measured("compiling", { try? FlagSet(value, fractional: .version3) }) else { return }
        var answer = 0
        for flag in set.flags.prefix(4) {
            measured("evaluating") { answer += set.evaluate(flag.key, for: context, now: 0).value == nil ? 0 : 1 }
            let explanationBytes = measured("explaining") {
                let explanation = set.explain(flag.key, for: context, now: 0)
                var bytes = explanation.branch.utf8.count
                for step in explanation.steps {
                    bytes += step.path.utf8.count + step.words.utf8.count
                    if case .compared(let operands, let result) = step.finding {
                        for operand in operands + [result] { bytes += operand.json.utf8.count }
                    }
                }
                return bytes
            }
            if explanationBytes > 8 << 20 {
                say("251 ms 0 MiB: an explanation of \(explanationBytes) bytes in case \(seed)")
            }
        }
        measured("evaluating all") {
            try? set.evaluate(Array(set.flags.indices), for: context, now: 0) { answer += $1.variantIndex ?? 0 }
        }
        if let flag = set.flags.first {
            measured("sampling") {
                var stepsLeft = FlagSet.maxSteps
                let sample = FlagSample(
                    of: flag.key, in: set, against: set, for: context, ids: FlagSample.ids(10_000), now: 0,
                    stepsLeft: &stepsLeft)
                answer += sample.sampled
            }
        }
        withExtendedLifetime(answer) {}
    }

    private static var processorNanoseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The peak memory of this process, in KiB.
    private static var peakResidentKibibytes: Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
