/// An error that the server answered a statement with.
///
/// `detail` quotes values of rows, so it is left out of every description: it belongs in no log and no answer.
public struct ServerError: Error, Hashable, Sendable {
    public let state: SQLState
    /// One sentence in the server's language; without values of rows, as far as PostgreSQL's own messages go.
    public let message: String
    public let detail: String?
    public let hint: String?
    public let schema: String?
    public let table: String?
    public let column: String?
    public let constraint: String?

    init(
        state: SQLState, message: String, detail: String? = nil, hint: String? = nil, schema: String? = nil,
        table: String? = nil, column: String? = nil, constraint: String? = nil
    ) {
        self.state = state
        self.message = message
        self.detail = detail
        self.hint = hint
        self.schema = schema
        self.table = table
        self.column = column
        self.constraint = constraint
    }
}

extension ServerError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let places = [("table", table), ("column", column), ("constraint", constraint)]
            .compactMap { name, value in value.map { "\(name) \($0)" } }
        return "\(state): \(message)" + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
