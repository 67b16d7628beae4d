internal import AlmanacCCurl
public import AlmanacJSON

/// The final answer to one request; interim answers (1xx) are left out.
public struct HTTPResponse: Sendable {
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

extension HTTPResponse {
    /// The body as JSON, up to 1 GiB of it: a test may ask for more than a server takes.
    public func json() throws(JSONFailure) -> JSONValue {
        var limits = JSONLimits()
        limits.bytes = 1 << 30
        return try JSONValue(parsing: body, limits: limits)
    }
}

/// A request that got no complete answer: nothing listens, the certificate is not trusted, the connection was cut, the
/// time was over.
public struct HTTPFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// libcurl's number, `CURLE_…`.
    public let code: UInt32
    public let description: String

    init(_ code: CURLcode, _ detail: String) {
        self.code = code.rawValue
        description = detail
    }

    /// Whether nothing accepted the connection.
    public var isRefused: Bool { code == CURLE_COULDNT_CONNECT.rawValue }

    /// Whether the time was over before the answer was complete.
    public var isTimeout: Bool { code == CURLE_OPERATION_TIMEDOUT.rawValue }

    /// Whether the server's certificate was not trusted.
    public var isUntrusted: Bool { code == CURLE_PEER_FAILED_VERIFICATION.rawValue }
}
