internal import AlmanacHTTP

/// The ranges in a `Range` header (RFC 9110 §14.2). nginx serves them, but its own 416 would repeat headers.
enum RequestedRanges {
    /// Throws if the header asks for bytes, and names none of a file.
    static func check(_ headers: Headers, length: Int64) throws(Problem) {
        // A range with a condition may not apply.
        guard let text = headers["Range"], headers["If-Range"] == nil else { return }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let ranges = parts[1].split(separator: ",", omittingEmptySubsequences: false).map {
            satisfies($0.filter { $0 != " " }, length)
        }
        if !ranges.contains(nil), ranges.contains(true) { return }
        throw Problem(
            .rangeNotSatisfiable, "the file has \(length) bytes; ask for some of them, or for the whole file",
            headers: [("Content-Range", "bytes */\(length)")])
    }

    /// Returns true if a range names a byte of the file; nil if it is malformed.
    private static func satisfies(_ range: String, _ length: Int64) -> Bool? {
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        let (first, last) = (Int64(ends[0]), Int64(ends[1]))
        // A number that doesn't fit is malformed too.
        guard first != nil || ends[0].isEmpty, last != nil || ends[1].isEmpty else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let count?): return count > 0
        case (let first?, let last): return first < length && last.map { $0 >= first } != false
        }
    }
}
