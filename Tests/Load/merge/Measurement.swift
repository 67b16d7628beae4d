/// Returns the median time of a piece of work, in microseconds.
func microseconds(_ work: () -> Void) -> Double {
    let clock = ContinuousClock()
    work()
    var times: [Duration] = []
    let start = clock.now
    while times.count < 5 || clock.now - start < .milliseconds(500) && times.count < 2001 {
        times.append(clock.measure(work))
    }
    times.sort()
    return times[times.count / 2] / .microseconds(1)
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - utf8.count)) + self
    }

    /// Returns a number with one decimal, right-aligned in a column.
    static func column(_ number: Double, _ width: Int) -> String {
        let tenths = Int(number * 10 + 0.5)
        return "\(tenths / 10).\(tenths % 10)".leftPadded(width)
    }
}
