internal import AlmanacCLibPQ

/// A probe that checks if a server is alive, independent of any login.
struct ServerProbe: Sendable {
    let options: [(keyword: String, value: String)]

    /// True if the server responds in time. Reading the property sends a probe and blocks.
    var isAnswered: Bool {
        let keywords = CStrings(options.map(\.keyword))
        let values = CStrings(options.map(\.value))
        let answer = unsafe keywords.withTable { keywords in
            unsafe values.withTable { values in unsafe PQpingParams(keywords, values, 0) }
        }
        return answer != PQPING_NO_RESPONSE
    }
}
