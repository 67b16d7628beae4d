internal import AlmanacCLibPQ

extension Connection {
    /// What the session was made with, as libpq has put it together: keywords and values, the password among them.
    ///
    /// For handing the same login to PostgreSQL's own programs, in a file that only they can read.
    public var options: [(keyword: String, value: String)] {
        var options: [(keyword: String, value: String)] = []
        // Safe because the answer is copied and then freed, once, and ends with a null keyword.
        let first = unsafe PQconninfo(pointer)
        defer { unsafe PQconninfoFree(first) }
        guard var option = unsafe first else { return [] }
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                let text = unsafe String(cString: value)
                if !text.isEmpty { options.append((unsafe String(cString: keyword), text)) }
            }
            unsafe option += 1
        }
        return options
    }
}
