/// A page of metrics in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
public struct Exposition {
    /// The media type of the page.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var families: [String: (metric: Metric, samples: [[String]: Sample])] = [:]

    private struct Sample {
        /// The number itself, or a histogram's sum.
        var value = 0.0
        /// The counts of a histogram's buckets, each without those below it.
        var counts: [Int] = []
    }

    public init() {}

    /// Adds a number to the metric's sample with these label values, which starts at 0.
    public mutating func add(_ metric: Metric, _ labels: [String], _ value: Double) {
        change(metric, labels) { $0.value += value }
    }

    /// Adds the counts of a histogram.
    ///
    /// - Parameter counts: one per bound, and one for values above the last bound.
    public mutating func add(_ metric: Metric, _ labels: [String], counts: [Int], sum: Double) {
        change(metric, labels) { sample in
            sample.value += sum
            if sample.counts.isEmpty { sample.counts = Array(repeating: 0, count: counts.count) }
            for (index, count) in counts.enumerated() { sample.counts[index] += count }
        }
    }

    /// The text of the page, sorted by metric name.
    public var text: String {
        var text = ""
        for name in families.keys.sorted() {
            let (metric, samples) = families[name]!
            text += "# HELP \(name) \(metric.help.escaped(quotes: false))\n# TYPE \(name) \(metric.kind.word)\n"
            for labels in samples.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let pairs = zip(metric.labels, labels).map { "\($0)=\"\($1.escaped(quotes: true))\"" }
                Self.append(samples[labels]!, of: metric, pairs, to: &text)
            }
        }
        return text
    }

    private mutating func change(_ metric: Metric, _ labels: [String], _ body: (inout Sample) -> Void) {
        precondition(labels.count == metric.labels.count, "\(metric.name) has the labels \(metric.labels)")
        body(&families[metric.name, default: (metric, [:])].samples[labels, default: Sample()])
    }

    private static func append(_ sample: Sample, of metric: Metric, _ pairs: [String], to text: inout String) {
        func line(_ suffix: String, _ pairs: [String], _ value: String) {
            let labels = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
            text += "\(metric.name)\(suffix)\(labels) \(value)\n"
        }
        guard case .histogram(let bounds) = metric.kind else { return line("", pairs, sample.value.formatted) }
        // A bucket includes all below it. The total comes from the buckets, so both agree during concurrent counts.
        var total = 0
        for (bound, count) in zip(bounds + [.infinity], sample.counts) {
            total += count
            line("_bucket", pairs + ["le=\"\(bound.formatted)\""], "\(total)")
        }
        line("_sum", pairs, sample.value.formatted)
        line("_count", pairs, "\(total)")
    }
}

extension Metric.Kind {
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}

extension Double {
    /// Formats a number for Go's `ParseFloat`; whole numbers have no decimal point.
    fileprivate var formatted: String {
        if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
        if isNaN { return "NaN" }
        return Int(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}

extension String {
    /// Escapes line breaks, backslashes and, in label values, quotes.
    fileprivate func escaped(quotes: Bool) -> String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
