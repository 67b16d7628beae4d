import AlmanacClientRuntime
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of the header field `Retry-After`, with the cases of RFC 9110 §10.2.3 and §5.6.7.
@Suite struct RetryAfterTests {
    /// Fri, 31 Dec 1999 23:57:59 GMT.
    private let now = Date(timeIntervalSince1970: 946_684_679)

    @Test(arguments: [("120", 120), ("0", 0), ("999999999", 999_999_999)])
    func `seconds are taken as they are`(text: String, seconds: Int) {
        #expect(RetryAfter.duration(text, now: now) == .seconds(seconds))
    }

    @Test(arguments: [
        "Fri, 31 Dec 1999 23:59:59 GMT", "Friday, 31-Dec-99 23:59:59 GMT", "Fri Dec 31 23:59:59 1999",
    ])
    func `a date is as far away as it is`(text: String) {
        #expect(RetryAfter.duration(text, now: now) == .seconds(120))
        #expect(RetryAfter.duration(text, now: now + 119.5) == .milliseconds(500))
    }

    @Test(arguments: [
        "", "-1", "+1", "1.5", "1 s", " 1", "9999999999", "soon", "Fri, 31 Dec 1999 23:57:59 GMT",
        "Fri, 31 Dec 1999 23:57:58 GMT", "1999-12-31T23:59:59Z", "Fri, 31 Foo 1999 23:59:59 GMT",
    ])
    func `a time that has passed, or a text that is neither, is nothing`(text: String) {
        #expect(RetryAfter.duration(text, now: now) == nil)
    }

    @Test func `it is read from a response, in any case`() {
        let response = TransportResponse(status: 503, headers: [(name: "retry-after", value: "7")], body: [UInt8]())
        #expect(response.retryAfter(now: now) == .seconds(7))
        #expect(TransportResponse(status: 503, body: [UInt8]()).retryAfter(now: now) == nil)
    }
}
