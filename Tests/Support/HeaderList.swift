internal import AlmanacCCurl

/// Header lines as libcurl takes them, freed together.
@safe final class HeaderList {
    // Safe because the list is made in `init`, only read by libcurl, and freed in `deinit`.
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter lines: without the zero byte at the end, and with none inside.
    init(_ lines: [[UInt8]]) {
        // libcurl would ask before it sends a large body, and wait a second for the answer.
        var list = unsafe curl_slist_append(nil, "Expect:")
        for line in lines {
            unsafe list = (line + [0]).withUnsafeBytes { bytes in
                unsafe curl_slist_append(list, bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
            }
        }
        unsafe first = list
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }
}
