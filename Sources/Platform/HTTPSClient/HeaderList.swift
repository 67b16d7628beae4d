internal import AlmanacCCurl

/// Header lines as libcurl takes them, freed together.
@safe struct HeaderList: ~Copyable {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `.unsendable` for a method or header that would reach into the next line.
    init(method: String, _ headers: [(name: String, value: String)]) throws(FetchFailure) {
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isWordByte) else { throw .unsendable("the method") }
        // Otherwise libcurl asks before it sends a large body, and waits a second for the answer.
        var lines = ["Expect:"]
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWordByte), !value.utf8.contains(where: { $0 < 32 }) else {
                throw .unsendable("the header \(name)")
            }
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        var list: UnsafeMutablePointer<curl_slist>? = nil
        // Safe because libcurl copies the texts, which hold no zero byte but the one at their ends.
        for line in lines { unsafe list = curl_slist_append(list, line) }
        unsafe first = list
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
