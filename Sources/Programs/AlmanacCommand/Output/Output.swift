internal import AlmanacJSON
internal import AlmanacPOSIX

/// What commands print for programs.
enum Output {
    /// One JSON document in one line.
    static func json(_ document: JSONValue) throws(SystemFailure) {
        try Process.output("\(document)\n")
    }

    static func json(_ documents: [JSONObject]) throws(SystemFailure) {
        try json(.array(documents.map { .object($0) }))
    }
}
