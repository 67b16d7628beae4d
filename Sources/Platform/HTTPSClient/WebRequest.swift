/// What to ask a server for.
public struct WebRequest: Sendable {
    public var method: String
    public var address: WebAddress
    public var headers: [(name: String, value: String)]
    /// Nil sends none; an empty one is sent as such.
    public var body: [UInt8]?

    public init(
        _ method: String = "GET", _ address: WebAddress, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}
