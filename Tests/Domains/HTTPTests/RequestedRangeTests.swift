import AlmanacHTTP
import Testing

@Suite struct RequestedRangeTests {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=3-", 3..<10), ("Bytes=3-5", 3..<6), ("bytes=9-9", 9..<10),
        ("bytes=2-99999999999999999999", 2..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10), ("bytes=000-001", 0..<2),
    ])
    func `one range is a part`(field: String, expected: Range<Int>) {
        #expect(RequestedRange(field, of: 10) == .part(expected))
    }

    @Test(arguments: [
        "bytes=10-", "bytes=10-12", "bytes=99999999999999999999-", "bytes=-0", "bytes=10-,-0", "bytes=", "bytes=-",
        "bytes=5-3", "bytes=a-b", "bytes=1", "bytes=+1-2", "bytes=1-2-3", "bytes=0-1,y",
    ])
    func `a malformed range, and one without a byte, cannot be satisfied`(field: String) {
        #expect(RequestedRange(field, of: 10) == .unsatisfiable)
    }

    @Test(arguments: [nil, "", "bytes", "bytes=0-1,4-5", "bytes=0-1, 10-", "lines=1-2"])
    func `no range of bytes, and several, are the whole`(field: String?) {
        #expect(RequestedRange(field, of: 10) == .whole)
    }
}
