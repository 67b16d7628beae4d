/// An HTTP response: status, header fields and the whole body.
public struct Response: Sendable {
    public var status: Int
    public var headers: FieldLines
    public var body: [UInt8]
    /// Whether more of the body follows when the endpoint has returned, so that its length is not known.
    public var isOpenEnded = false

    /// A response without a body.
    public init(status: Int, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = FieldLines(headers)
        body = []
    }

    public init(status: Int = 200, contentType: String = "application/json", body: [UInt8]) {
        self.status = status
        headers = FieldLines([("Content-Type", contentType)])
        self.body = body
    }

    /// The first header field of that name.
    public func header(_ name: String) -> String? { headers[name] }
}
