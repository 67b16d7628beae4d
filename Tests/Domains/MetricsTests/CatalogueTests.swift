import AlmanacConfigDomain
import AlmanacEventsDomain
import AlmanacFlagsDomain
import AlmanacHooks
import AlmanacIdentity
import AlmanacMetrics
import AlmanacNotesDomain
import AlmanacServing
import AlmanacTestSupport
import Testing

extension Metric {
    /// The metrics of all programs, from the lists of the modules that count them.
    static let all = ofServing + ofIdentity + ofConfig + ofHooks + ofFlags + ofNotes + ofEvents
}

/// Checks the names against Prometheus' conventions (https://prometheus.io/docs/practices/naming/) and their uses.
@Suite struct CatalogueTests {
    @Test func `no two metrics share a name`() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    }

    @Test func `the lists have every metric that a module declares`() throws {
        let sources = try Checkout.texts("Sources/Domains", ending: ".swift").filter { $0.contains("= Metric(") }
        let declaration = /Metric\(\s*\.(?:counter|gauge|histogram\([^)]*\)),\s*"([a-z_]+)"/
        let names = sources.flatMap { $0.matches(of: declaration).map { String($0.1) } }
        #expect(!names.isEmpty)
        #expect(names.sorted() == Metric.all.map(\.name).sorted())
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
