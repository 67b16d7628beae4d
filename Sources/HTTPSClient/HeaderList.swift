internal import CCurl

/// Header lines as libcurl takes them, freed together.
@safe struct HeaderList: ~Copyable {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter lines: each with a zero byte at its end, and none before.
    init(_ lines: [[UInt8]]) {
        var list: UnsafeMutablePointer<curl_slist>? = nil
        for line in lines {
            unsafe line.withUnsafeBytes { bytes in
                // Safe because libcurl copies the text, which ends with a zero byte.
                unsafe list = curl_slist_append(list, bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
        unsafe first = list
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }
}
