/// A request to a server, with its limits and timeouts.
public struct TransportRequest: Sendable {
    /// The method in capitals, such as `GET` or `POST`.
    public var method: String
    /// An absolute `http` or `https` URL, in ASCII.
    public var url: String
    /// The header fields. A redirect to another origin drops `Authorization`.
    public var headers: [(name: String, value: String)]
    /// The request body. Nil sends no body; an empty body is sent as such.
    public var body: [UInt8]?
    /// The limit on the response body after decompression, in bytes; nil for an endless stream.
    public var byteLimit: Int?
    /// The limit on redirects. With 0, a redirect is returned like any other response. A redirect away from HTTPS is
    /// never followed.
    public var redirectLimit = 0
    /// The limit on the time without any received byte, in whole seconds.
    public var idleTimeout: Duration = .seconds(120)
    /// The limit on the duration of the transfer, including the response body; nil for an endless stream.
    public var timeout: Duration?

    /// Creates a request with the default idle timeout and no timeout. Other properties can be set afterwards.
    public init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        byteLimit: Int? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.byteLimit = byteLimit
    }
}

extension TransportRequest {
    /// True if the request sends a token over plain HTTP to another device, where anyone on the network can read it.
    public var sendsTokenInClear: Bool {
        let hasToken = headers.contains { $0.name.lowercased().hasSuffix("authorization") }
        return hasToken && url.lowercased().hasPrefix("http://") && !goesToThisDevice
    }

    /// True if the host is this device, by name or by address.
    private var goesToThisDevice: Bool {
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // The text before an @ is not part of the host.
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name == "127.0.0.1"
    }

    /// Creates the stream of a response body, with the continuation that feeds it.
    ///
    /// An endless stream buffers at most 1,024 parts. If its reader is slower, `yield` reports a dropped part, and the
    /// transport ends the stream.
    public func makeBody() -> (stream: ByteStream, continuation: ByteStream.Continuation) {
        ByteStream.makeStream(bufferingPolicy: byteLimit == nil ? .bufferingOldest(1024) : .unbounded)
    }
}
