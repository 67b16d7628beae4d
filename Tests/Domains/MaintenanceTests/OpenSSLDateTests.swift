import AlmanacTimestamps
import Testing

@testable import AlmanacMaintenance

@Suite struct OpenSSLDateTests {
    @Test func `dates of certificates are read`() {
        #expect(OpenSSLDate.timestamp("Nov  1 09:05:06 2026 GMT")?.description == "2026-11-01T09:05:06.000Z")
        #expect(OpenSSLDate.timestamp("Feb 29 23:59:59 2028 GMT")?.description == "2028-02-29T23:59:59.000Z")
    }

    @Test(arguments: ["", "Nov 31 09:05:06 2026 GMT", "Foo 1 09:05:06 2026 GMT", "Nov 1 09:05:06 2026", "1 Nov 2026"])
    func `a text that is no date is refused`(text: String) { #expect(OpenSSLDate.timestamp(text) == nil) }
}
