import AlmanacTimestamps
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.000Z", 0),
            ("2020-10-17T18:43:19.000Z", 1_602_960_199_000),
            ("2020-10-17T18:43:19Z", 1_602_960_199_000),
            ("2020-10-17t18:43:19.5z", 1_602_960_199_500),
            ("2020-10-17T18:43:19.123999Z", 1_602_960_199_123),
            ("2020-10-17T20:43:19.000+02:00", 1_602_960_199_000),
            ("2020-10-17T13:13:19.000-05:30", 1_602_960_199_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func `an RFC 3339 time is read`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2020", "2020-10-17", "2020-10-17T18:43:19", "2020-10-17 18:43:19Z", "2020-13-01T00:00:00Z",
        "2020-00-01T00:00:00Z", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2020-10-17T24:00:00Z",
        "2020-10-17T18:60:00Z", "2020-10-17T18:43:61Z", "2020-10-17T18:43:19.Z", "2020-10-17T18:43:19.000ZZ",
        "2020-10-17T18:43:19+0200", "2020-10-17T18:43:19+24:00", "0000-01-01T00:00:00Z", "+020-10-17T18:43:19Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:60Z", "２０２０-10-17T18:43:19Z", " 2020-10-17T18:43:19Z",
    ])
    func `anything else is refused`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `the written form reads back as the same instant`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let instant = Timestamp(
                milliseconds: .random(
                    in: Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds, using: &generator))
            #expect(Timestamp(instant.description) == instant)
        }
    }

    @Test(arguments: [
        ("2020-10-17T18:43:19.999Z", "Sat, 17 Oct 2020 18:43:19 GMT"),
        ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("1969-12-31T00:00:00Z", "Wed, 31 Dec 1969 00:00:00 GMT"),
    ])
    func `the HTTP date is in whole seconds of GMT`(text: String, httpDate: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.httpDate == httpDate)
        let seconds = timestamp.milliseconds - timestamp.milliseconds % 1000
        #expect(Timestamp(httpDate: httpDate, now: timestamp)?.milliseconds == seconds)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994",
    ])
    func `an HTTP date is read in each of its three forms`(text: String) throws {
        let now = try #require(Timestamp("2043-11-06T00:00:00Z"))
        #expect(Timestamp(httpDate: text, now: now) == Timestamp("1994-11-06T08:49:37Z"))
    }

    @Test func `a year of two digits is at most 50 years ahead`() throws {
        let now = try #require(Timestamp("2026-01-01T00:00:00Z"))
        let text = { (year: Int) in "Sunday, 06-Nov-\(year) 08:49:37 GMT" }
        #expect(Timestamp(httpDate: text(76), now: now) == Timestamp("2076-11-06T08:49:37Z"))
        #expect(Timestamp(httpDate: text(77), now: now) == Timestamp("1977-11-06T08:49:37Z"))
    }

    @Test(arguments: [
        "", "GMT", "soon", "Nov 31 09:05:06 2026 GMT", "Foo 1 09:05:06 2026 GMT", "Nov 1 09:05:06 2026", "1 Nov 2026",
        "2020-10-17T18:43:19Z", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    ])
    func `a text that is no HTTP date is refused`(text: String) {
        #expect(Timestamp(httpDate: text, now: Timestamp(milliseconds: 0)) == nil)
    }
}
