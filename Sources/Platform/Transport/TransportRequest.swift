/// A request to a server, and how long to wait for its response.
public struct TransportRequest: Sendable {
    /// `GET`, `POST` or another, in capitals.
    public var method: String
    /// An absolute `http` or `https` URL, in ASCII.
    public var url: String
    /// `Authorization` is for the origin of `url` only, wherever redirects lead.
    public var headers: [(name: String, value: String)]
    /// Nil sends none; an empty one is sent as such.
    public var body: [UInt8]?
    /// The most bytes of the body, after decompression, that may arrive; nil for a stream without end.
    public var byteLimit: Int?
    /// How many redirects are followed; one that would leave HTTPS is never. With 0, a redirect is a response like
    /// others.
    public var redirectLimit = 0
    /// How long nothing may arrive, in whole seconds.
    public var silence: Duration = .seconds(120)
    /// How long the exchange may take, its body included; nil for a stream without end.
    public var deadline: Duration?

    /// A request without time-outs of its own but the usual silence; the rest can be set afterwards.
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
    /// Whether everybody on the way could read a token: one goes over HTTP to another device.
    public var showsToken: Bool {
        let hasToken = headers.contains { $0.name.lowercased().hasSuffix("authorization") }
        return hasToken && url.lowercased().hasPrefix("http://") && !goesToThisDevice
    }

    /// Whether the host is this device, by its name or its address.
    private var goesToThisDevice: Bool {
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // What stands before an @ is no host.
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name == "127.0.0.1"
    }

    /// The way of a body from the receiving side to the reading side.
    ///
    /// A stream without end, whose reader does not keep up, ends when 1,024 parts wait: `yield` says that one was
    /// dropped.
    public func makeBody() -> (stream: ByteStream, continuation: ByteStream.Continuation) {
        ByteStream.makeStream(bufferingPolicy: byteLimit == nil ? .bufferingOldest(1024) : .unbounded)
    }
}
