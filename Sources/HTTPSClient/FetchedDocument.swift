/// The body of an answer with the status 200.
public struct FetchedDocument: Sendable {
    public let body: [UInt8]
    private let headers: [(name: String, value: String)]

    init(body: [UInt8], headers: [(name: String, value: String)]) {
        self.body = body
        self.headers = headers
    }

    /// The values of every header of that name, in any case, joined by commas (RFC 9110 §5.3).
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
