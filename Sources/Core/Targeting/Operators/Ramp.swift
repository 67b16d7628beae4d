/// A percentage that changes over time, linearly between points.
struct Ramp: Sendable {
    let points: [Point]
    /// The scheme of another system that places the units, or nil for Almanac's own hash.
    var scheme: SchemeSplit?

    struct Point: Sendable {
        let milliseconds: Int64
        let weight: Int64
    }

    /// The weight of 100 percent; the smallest step is a thousandth of a percent.
    static let total = 100_000
    static let maxPoints = 100

    /// Reads pairs of a time and a percentage in the order of time. Returns nil if they are invalid.
    init?(_ pairs: FlagValue) {
        guard case .array(let pairs) = pairs else { return nil }
        var points: [Point] = []
        for pair in pairs {
            guard case .array(let pair) = pair, pair.count == 2, let time = Instant(pair[0], isLenient: true),
                case .number(let percent) = pair[1], (0...100).contains(percent.double),
                points.last.map({ $0.milliseconds < time.milliseconds }) ?? true
            else { return nil }
            let weight = Int64((percent.double * 1000).rounded())
            points.append(Point(milliseconds: time.milliseconds, weight: weight))
        }
        guard !points.isEmpty, points.count <= Ramp.maxPoints else { return nil }
        self.points = points
    }

    /// Returns the weight at a time, out of ``total``.
    func weight(at time: Instant) -> Int {
        let now = time.milliseconds
        guard let next = points.firstIndex(where: { $0.milliseconds > now }) else {
            return Int(points[points.count - 1].weight)
        }
        guard next > 0 else { return Int(points[0].weight) }
        let (from, to) = (points[next - 1], points[next])
        let share = Double(now - from.milliseconds) / Double(to.milliseconds - from.milliseconds)
        return Int(from.weight) + Int(Double(to.weight - from.weight) * share)
    }
}
