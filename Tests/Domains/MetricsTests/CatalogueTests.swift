import AlmanacMetrics
import Testing

/// The names, held against Prometheus' conventions (https://prometheus.io/docs/practices/naming/) and what uses them.
@Suite struct CatalogueTests {
    @Test func `no two metrics share a name`() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    }

    @Test func `the list has every metric of the file`() throws {
        let source = try Checkout.text("Sources/Domains/Metrics/Metric+catalogue.swift")
        let names = source.matches(of: /"((?:almanac|process)_[a-z_]+)"/).map { String($0.1) }
        #expect(!names.isEmpty)
        #expect(Set(names) == Set(Metric.all.map(\.name)))
    }

    @Test(arguments: Metric.all.map(\.name))
    func `a name tells kind and unit`(name: String) throws {
        let metric = try #require(Metric.all.first { $0.name == name })
        #expect(metric.name.wholeMatch(of: /(almanac|process)(_[a-z]+)+/) != nil)
        #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"))
        if case .histogram(let bounds) = metric.kind {
            #expect(metric.name.hasSuffix("_seconds"))
            #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count && bounds.count <= 15)
        }
        #expect(metric.help.hasSuffix("."))
        #expect(metric.labels.allSatisfy { $0.wholeMatch(of: /[a-z]+/) != nil && $0 != "le" })
    }
}
