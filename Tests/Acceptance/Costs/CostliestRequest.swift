import AlmanacTestSupport

/// The request of a route that costs the server more than any other that is known, or one of several.
struct CostliestRequest: Sendable {
    /// The method and path in the description of the API: `GET /{environment}/config`.
    let operation: String
    let about: String
    let status: Int
    var caller = Caller.operator
    /// The values of `{key}`, `{id}` and so on.
    var names: [String: String] = [:]
    var query = ""
    var headers: [(String, String)] = []
    var body: (@Sendable () -> String)?

    enum Caller: Sendable {
        /// Sends a token that may do everything.
        case `operator`
        /// The user whose notes are costly.
        case user
        case nobody
    }

    init(
        _ operation: String, _ about: String, _ status: Int = 200, by caller: Caller = .operator,
        names: [String: String] = [:], query: String = "", headers: [(String, String)] = [],
        body: (@Sendable () -> String)? = nil
    ) {
        self.operation = operation
        self.about = about
        self.status = status
        self.caller = caller
        self.names = names
        self.query = query
        self.headers = headers
        self.body = body
    }

    var method: String { String(operation.prefix { $0 != " " }) }

    /// - Parameter names: those that every request of the table may have.
    func path(_ names: [String: String]) -> String {
        let names = names.merging(self.names) { $1 }
        let path = String(operation.drop { $0 != "/" }).replacing(/\{(\w+)\}/) { names[String($0.1)] ?? "none" }
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}
