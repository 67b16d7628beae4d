internal import AlmanacCLibPQ

/// The question whether a server is alive, whatever it would say to a login.
struct ServerProbe: Sendable {
    let options: [(keyword: String, value: String)]

    /// Whether the server has answered in time.
    var isAnswered: Bool {
        let keywords = CStrings(options.map(\.keyword))
        let values = CStrings(options.map(\.value))
        let answer = unsafe keywords.withTable { keywords in
            unsafe values.withTable { values in unsafe PQpingParams(keywords, values, 0) }
        }
        return answer != PQPING_NO_RESPONSE
    }
}
