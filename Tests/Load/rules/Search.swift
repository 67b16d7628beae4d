import AlmanacPOSIX
import Glibc

/// A search that runs cases in child processes, because a case may end its process.
struct Search {
    let seconds: Int
    let seed: UInt64

    private static let casesOfProcess = 200
    private static let mostFindings = 10

    /// - Returns: `true` if no case exceeded a limit or ended its process.
    func run() throws -> Bool {
        let program = try File.target(of: "/proc/self/exe")
        let end = MonotonicClock.nanoseconds + seconds * 1_000_000_000
        var (cases, deaths) = (0, 0)
        var findings: [Finding] = []
        print("seed \(seed)")
        while MonotonicClock.nanoseconds < end {
            let first = seed &+ UInt64(cases)
            let (lines, status) = try Self.output(of: program, ["--cases", "\(first)", "\(Self.casesOfProcess)"])
            for line in lines where line.utf8.first != UInt8(ascii: "#") {
                if let finding = Finding(line) { findings.append(finding) }
            }
            findings = Array(findings.sorted { $0.milliseconds > $1.milliseconds }.prefix(Self.mostFindings))
            let begun = lines.count { $0.utf8.first == UInt8(ascii: "#") }
            if status != 0 {
                deaths += 1
                print("case \(first &+ UInt64(max(0, begun - 1))) ended the process with status \(status)")
            }
            cases += max(1, begun)
        }
        print("\(cases) cases, \(deaths) ended their process; the costliest:")
        for finding in findings { print(finding.line) }
        let isMissed = findings.contains { $0.isMissed }
        if isMissed {
            print("goal missed: \(CaseRunner.timeLimitMilliseconds) ms and \(CaseRunner.memoryLimitMebibytes) MiB")
        }
        return deaths == 0 && !isMissed
    }

    private static func output(of program: String, _ arguments: [String]) throws -> ([Substring], Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw SystemFailure(code: errno) }
        let child = try ChildProcess.start(program, arguments, descriptors: [nil, ends[1]])
        close(ends[1])
        defer { close(ends[0]) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(ends[0], &part, part.count), count > 0 { bytes += part[..<count] }
        let status = child.wait()
        return (String(decoding: bytes, as: UTF8.self).split(separator: "\n"), status)
    }
}

/// The cost of a case, as a line that a child process prints for its parent.
struct Finding {
    let milliseconds: Int
    let mebibytes: Int
    let line: String

    var isMissed: Bool {
        milliseconds > CaseRunner.timeLimitMilliseconds || mebibytes > CaseRunner.memoryLimitMebibytes
    }

    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count >= 4, let milliseconds = Int(words[0]), let mebibytes = Int(words[2]) else { return nil }
        (self.milliseconds, self.mebibytes, self.line) = (milliseconds, mebibytes, String(line))
    }
}
