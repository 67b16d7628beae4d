import AlmanacTestSupport
import Testing

/// The page of metrics, parsed as Prometheus would.
struct MetricsPage {
    /// The values by series, for example `almanac_config_revision{environment="development"}`.
    let numbers: [String: Double]

    init(_ client: HTTPClient) throws {
        let answer = try client.send("GET", "/-/metrics")
        try #require(answer.status == 200, "\(answer.text)")
        var numbers: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            let space = try #require(line.lastIndex(of: " "))
            let number: Double = try #require(Double(line[space...].dropFirst()), "\(line)")
            numbers[String(line[..<space])] = number
        }
        self.numbers = numbers
    }

    subscript(_ series: String) -> Double? { numbers[series] }

    /// Returns the growth of each series of a family since an earlier page. Unchanged series are omitted.
    ///
    /// - Parameter name: the name of the family, for example `almanac_http_requests_total`.
    func growth(of name: String, since earlier: MetricsPage) -> [String: Int] {
        var growth: [String: Int] = [:]
        for (series, number) in numbers where series.hasPrefix(name + "{") {
            let difference = Int(number - (earlier[series] ?? 0))
            if difference != 0 { growth[String(series.dropFirst(name.count))] = difference }
        }
        return growth
    }
}
