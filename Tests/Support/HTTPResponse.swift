internal import AlmanacCCurl
public import AlmanacJSON

/// The final response to a request, without interim responses (1xx).
public struct HTTPResponse: Sendable {
    public let status: Int
    /// The headers in the order sent. Names are as sent: in lower case over HTTP/2.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// `1.0`, `1.1` or `2`.
    public let httpVersion: String

    /// Returns the value of the first header of that name, ignoring case.
    public func header(_ name: String) -> String? { headers(name).first }

    public func headers(_ name: String) -> [String] {
        let name = name.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The body as text. Bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPResponse {
    /// Parses the body as JSON of up to 1 GiB, because a test may request more than a server accepts.
    public func json() throws(JSONFailure) -> JSONValue {
        var limits = JSONLimits()
        limits.bytes = 1 << 30
        return try JSONValue(parsing: body, limits: limits)
    }
}

/// A request that got no complete response: the connection was refused or cut, the certificate is not trusted, or the
/// time limit passed.
public struct HTTPFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// libcurl's error number, `CURLE_…`.
    public let code: UInt32
    public let description: String

    init(_ code: CURLcode, _ detail: String) { (self.code, description) = (code.rawValue, detail) }

    public var isRefused: Bool { code == CURLE_COULDNT_CONNECT.rawValue }
}
