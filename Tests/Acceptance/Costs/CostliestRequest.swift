import AlmanacTestSupport

/// A request that costs the server more than any other known request of its route.
struct CostliestRequest: Sendable {
    /// The method and path as in the API description, for example `GET /{environment}/config`.
    let operation: String
    let about: String
    let status: Int
    var caller = Caller.operator
    /// The values of the placeholders in the path, such as `{key}` and `{id}`.
    var names: [String: String] = [:]
    var query = ""
    var headers: [(String, String)] = []
    var body: (@Sendable () -> String)?

    enum Caller: Sendable {
        /// The holder of a token with every permission.
        case `operator`
        /// The user with the costly notes.
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

    /// - Parameter names: values of placeholders that all requests of the table share.
    func path(_ names: [String: String]) -> String {
        let names = names.merging(self.names) { $1 }
        let path = String(operation.drop { $0 != "/" }).replacing(/\{(\w+)\}/) { names[String($0.1)] ?? "none" }
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}
