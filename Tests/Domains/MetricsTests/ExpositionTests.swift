import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacMetrics

@Suite struct ExpositionTests {
    private let fruit = Metric(.counter, "fruit_total", by: ["kind", "colour"], "Fruit seen.")

    @Test func `an empty page is empty`() {
        #expect(Exposition().text == "")
    }

    @Test func `a family is in one piece under its help and type, whoever adds to it in between`() {
        var page = Exposition()
        page.add(fruit, ["pear", "green"], 2)
        page.add(Metric(.gauge, "baskets", "Baskets."), [], 1.5)
        page.add(fruit, ["apple", "red"], 3)
        #expect(
            page.text == """
                # HELP baskets Baskets.
                # TYPE baskets gauge
                baskets 1.5
                # HELP fruit_total Fruit seen.
                # TYPE fruit_total counter
                fruit_total{kind="apple",colour="red"} 3
                fruit_total{kind="pear",colour="green"} 2

                """)
    }

    @Test func `samples with the same label values add up`() {
        var page = Exposition()
        page.add(fruit, ["pear", "green"], 2)
        page.add(fruit, ["pear", "green"], 40)
        #expect(page.text.contains("\nfruit_total{kind=\"pear\",colour=\"green\"} 42\n"))
    }

    @Test func `label values and help are escaped`() {
        var page = Exposition()
        page.add(Metric(.gauge, "odd", by: ["label"], "Has a \\ and\na \"break\"."), ["a\\b\"c\nd 😸"], 1)
        #expect(
            page.text == #"""
                # HELP odd Has a \\ and\na "break".
                # TYPE odd gauge
                odd{label="a\\b\"c\nd 😸"} 1

                """#)
    }

    @Test(arguments: [
        (0, "0"), (-0.0, "0"), (3, "3"), (-7, "-7"), (0.25, "0.25"), (1e15, "1000000000000000"), (1e300, "1e+300"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
    ])
    func `numbers are written as Prometheus reads them`(number: Double, text: String) {
        var page = Exposition()
        page.add(Metric(.gauge, "number", "A number."), [], number)
        #expect(page.text.hasSuffix("\nnumber \(text)\n"))
    }

    @Test func `a histogram's buckets include the smaller ones, and the last is its count`() {
        let waiting = Family<Histogram>(
            Metric(.histogram(bounds: [0.001, 0.5]), "wait_seconds", by: ["who"], "Waiting."))
        let histogram = waiting.member("me")
        // A value equal to a bound counts as below the bound.
        for nanoseconds in [10, 1_000_000, 1_000_001, 500_000_000, 500_000_001, 3_000_000_000] {
            histogram.observe(nanoseconds: nanoseconds)
        }
        var page = Exposition()
        waiting.write(to: &page)
        #expect(
            page.text == """
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{who="me",le="0.001"} 2
                wait_seconds_bucket{who="me",le="0.5"} 4
                wait_seconds_bucket{who="me",le="+Inf"} 6
                wait_seconds_sum{who="me"} 4.002000012
                wait_seconds_count{who="me"} 6

                """)
    }

    @Test func `instruments of the same label values are added up`() {
        let waiting = Family<Histogram>(Metric(.histogram(bounds: [1]), "wait_seconds", "Waiting."))
        waiting.member().observe(nanoseconds: 500_000_000)
        waiting.member().observe(nanoseconds: 2_000_000_000)
        var page = Exposition()
        waiting.write(to: &page)
        #expect(page.text.contains("\nwait_seconds_bucket{le=\"1\"} 1\nwait_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(page.text.contains("\nwait_seconds_sum 2.5\nwait_seconds_count 2\n"))
    }

    @Test func `nothing is lost when threads count at once, and a page read meanwhile agrees with itself`() throws {
        let counted = Family<Counter>(Metric(.counter, "counted_total", "Counted."))
        let waiting = Family<Histogram>(Metric(.histogram(bounds: [0.001, 0.01]), "wait_seconds", "Waiting."))
        let shared = counted.member()
        let isOver = try Event()
        let reader = AlmanacPOSIX.Thread(name: "reader") {
            while !isOver.isSet {
                var page = Exposition()
                waiting.write(to: &page)
                let numbers = page.text.split(separator: "\n").suffix(5).compactMap { Int($0.split(separator: " ")[1]) }
                // The numbers are three buckets and the count, without the sum.
                precondition(numbers.isEmpty || numbers.dropLast(1) == numbers.dropLast(1).sorted(), "\(numbers)")
            }
        }
        _ = try concurrently(8) { number in
            let own = waiting.member()
            for step in 0..<20_000 {
                shared.add()
                own.observe(nanoseconds: step * 1000)
            }
        }
        isOver.set()
        #expect(reader.wait(upTo: .seconds(10)))
        var page = Exposition()
        counted.write(to: &page)
        waiting.write(to: &page)
        #expect(page.text.contains("\ncounted_total 160000\n"))
        #expect(page.text.contains("\nwait_seconds_count 160000\n"))
        #expect(page.text.contains("\nwait_seconds_bucket{le=\"0.001\"} \(8 * 1001)\n"))
    }

    @Test func `a gauge goes up and down`() {
        let open = Family<Gauge>(Metric(.gauge, "open", "Open."))
        let gauge = open.member()
        gauge.add(5)
        gauge.add(-7)
        var page = Exposition()
        open.write(to: &page)
        #expect(page.text.hasSuffix("\nopen -2\n"))
    }

    @Test func `the process is shown under the usual names`() throws {
        var page = Exposition()
        page.add(try #require(ProcessUsage.now))
        for name in ["cpu_seconds_total", "start_time_seconds", "resident_memory_bytes", "open_fds", "max_fds"] {
            let line = try #require(page.text.split(separator: "\n").first { $0.hasPrefix("process_\(name) ") })
            #expect(try #require(Double(line.split(separator: " ")[1])) > 0)
        }
    }
}
