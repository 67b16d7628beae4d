import Testing

@testable import AlmanacMaintenance

@Suite struct ClockCheckTests {
    @Test(arguments: [0, 1, -1, 1000, -1000] as [Int64])
    func `clocks that differ by no more than the tolerance agree`(milliseconds: Int64) {
        let finding = ClockCheck.finding("here", "the server's clock", ahead: milliseconds, tolerance: 1000)
        #expect(finding == .good("clock", "here", "the server's clock and this machine's clock agree"))
    }

    @Test(
        arguments: [
            (1001, "the server's clock is 1 s ahead of this machine's clock"),
            (-1001, "the server's clock is 1 s behind this machine's clock"),
            (90_500, "the server's clock is 90 s ahead of this machine's clock"),
        ] as [(Int64, String)])
    func `a clock that is further off fails, with how much it is and what to do`(milliseconds: Int64, text: String) {
        let finding = ClockCheck.finding("here", "the server's clock", ahead: milliseconds, tolerance: 1000)
        #expect(finding.outcome == .failed && finding.text == text)
        #expect(finding.advice.contains("chrony"))
    }
}
