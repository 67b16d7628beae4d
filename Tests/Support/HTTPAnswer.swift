/// The final answer to one request; interim answers (1xx) are left out.
public struct HTTPAnswer: Sendable {
    public let status: Int
    /// In the order sent, names as sent: in lower case over HTTP/2.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// `1.0`, `1.1` or `2`.
    public let httpVersion: String

    /// The value of the first header of that name, in any case.
    public func header(_ name: String) -> String? {
        headers(name).first
    }

    /// The values of every header of that name, in any case.
    public func headers(_ name: String) -> [String] {
        let name = name.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
