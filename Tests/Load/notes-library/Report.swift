import Foundation

/// What is printed: a name and what was measured.
enum Report {
    static func line(_ name: String, _ value: String) {
        print(name + String(repeating: " ", count: max(1, 44 - name.count)) + value)
    }

    /// The most memory that this process has held so far, in KiB (`VmHWM`).
    static var mostMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    static func milliseconds(_ time: Duration) -> String { String(format: "%.1f ms", time / .milliseconds(1)) }

    /// The middle one and the one that a hundredth of all exceed.
    static func spread(_ times: [Duration]) -> String {
        let times = times.sorted()
        return "p50 \(milliseconds(times[times.count / 2])), p99 \(milliseconds(times[times.count * 99 / 100]))"
    }
}
