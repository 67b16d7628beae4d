internal import AlmanacCFastCGI
internal import AlmanacCLinux
internal import AlmanacResponseStreams
internal import Glibc

/// One FastCGI connection from the web server, carrying one request after the other.
@safe public final class FastCGIConnection: @unchecked Sendable {
    // Safe because the request keeps its address until deinit, and only the thread that was given the connection by
    // `Listener.accept` uses it, until it gives it back or hands it to another thread under a lock.
    private let request: UnsafeMutablePointer<FCGX_Request>
    /// -1 once it is closed or has gone to a stream. libfcgi has it from a request's beginning to its end.
    private var descriptor: Int32
    private var reader: RequestReader
    private let pipes: HeadPipes
    private var isNew = true
    /// Nothing more can be read.
    private var isBroken = false
    /// How many parameters the request has.
    private(set) var parameterCount = 0
    /// Why the connection was closed, when the web server sent something that is no request.
    public private(set) var refusal: String?

    /// How long the web server may take to send or to receive the bytes of a request that has begun, in seconds.
    private static let timeout = 30

    init(takingOwnership descriptor: Int32, pipes: HeadPipes) {
        unsafe request = .allocate(capacity: 1)
        unsafe FCGX_InitRequest(request, -1, 0)
        self.descriptor = descriptor
        self.pipes = pipes
        reader = RequestReader(of: descriptor)
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Names the connection where only a number fits: its address.
    var tag: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// The connection of a tag.
    static func tagged(_ tag: UInt) -> FastCGIConnection {
        // Safe because the listener keeps a connection alive for as long as its tag can come up.
        unsafe Unmanaged<FastCGIConnection>.fromOpaque(UnsafeRawPointer(bitPattern: tag)!).takeUnretainedValue()
    }

    /// Its descriptor, when it is handed to a thread for the first time.
    func firstHandedOver() -> Int32? {
        guard isNew else { return nil }
        isNew = false
        return descriptor
    }

    deinit {
        if unsafe request.pointee.in != nil { abort() }
        if descriptor >= 0 { close(descriptor) }
        unsafe request.deallocate()
    }

    /// Reads the parameters of the request that has arrived.
    ///
    /// - Returns: the parameters in the order sent (FastCGI 1.0 §3.4), or nil when the connection has ended instead,
    ///   or what arrived is no request; then `refusal` says why.
    public func nextRequest() -> Parameters? {
        let head: RequestReader.Head
        do {
            head = try reader.head(within: .seconds(Self.timeout))
        } catch {
            if case .malformed(let reason) = error { refusal = reason }
            return nil
        }
        guard unsafe pipes.begin(request, with: head.records) else {
            refusal = "libfcgi does not take the request"
            return nil
        }
        unsafe request.pointee.ipcFd = descriptor
        parameterCount = head.count
        return Parameters(of: self)
    }

    /// Whether nobody waits for the response any more: the web server closes the connection when its client has gone.
    public var isAbandoned: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// libfcgi has freed them, and leaves the pointer as it was.
    private func forgetParameters() {
        unsafe request.pointee.envp = nil
        parameterCount = 0
    }

    /// The value of the first parameter of that name.
    func parameter(_ name: String) -> String? {
        // Safe because libfcgi keeps the list and its strings until the request is finished; no list has no parameters.
        unsafe FCGX_GetParam(name, request.pointee.envp).map { unsafe String(cString: $0) }
    }

    /// Hands over each parameter as the C string `NAME=value`, until `body` returns something.
    func firstParameter<Result>(_ body: (UnsafePointer<CChar>) -> Result?) -> Result? {
        // Safe because the list ends with a null pointer, and libfcgi keeps it and its strings until the request is
        // finished.
        guard var next = unsafe request.pointee.envp else { return nil }
        while let entry = unsafe next.pointee {
            if let result = unsafe body(entry) { return result }
            unsafe next += 1
        }
        return nil
    }

    /// Ends the request: sends what is left of its response and reads what is left of its body, so that the next
    /// request begins at a record of its own.
    ///
    /// - Returns: the descriptor to wait on for the next request, or nil when the connection is closed.
    func finish() -> Int32? {
        guard unsafe request.pointee.in != nil else {
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
            return nil
        }
        if !hasReadAll { unsafe request.pointee.keepConnection = 0 }
        unsafe FCGX_Finish_r(request)
        forgetParameters()
        if unsafe request.pointee.ipcFd < 0 {
            descriptor = -1
            return nil
        }
        unsafe request.pointee.ipcFd = -1
        return descriptor
    }

    /// Sends what there is of the response, and hands over the rest of it as a stream; the connection is done then.
    ///
    /// - Returns: nil when the web server has closed the connection.
    func detach() -> ResponseStream? {
        // Bytes that were left unread would be a reset for the web server when the connection is closed.
        guard hasReadAll, unsafe FCGX_FFlush(request.pointee.out) == 0 else {
            abort()
            return nil
        }
        let stream = unsafe ResponseStream(
            takingOwnership: descriptor, request: UInt16(truncatingIfNeeded: request.pointee.requestId))
        unsafe request.pointee.ipcFd = -1
        descriptor = -1
        unsafe FCGX_Free(request, 0)
        forgetParameters()
        return stream
    }

    /// Cuts the response off where it is, so that the web server knows it for incomplete.
    public func abort() {
        guard unsafe request.pointee.in != nil else { return }
        unsafe FCGX_Free(request, 1)
        forgetParameters()
        descriptor = -1
    }

    /// Reads what is left of the body; whether the next request can come after it.
    private var hasReadAll: Bool {
        if isBroken { return false }
        do {
            try reader.skipBody()
            // A web server that sends the next request before it has the response would not be heard.
            return reader.isAtEnd
        } catch {
            return false
        }
    }

    /// Reads the request's body.
    ///
    /// - Parameter count: the length that the web server announced, in bytes.
    /// - Returns: exactly that many bytes, or nil when the body ended before or could not be read.
    public func readBody(count: Int) -> [UInt8]? {
        do {
            return try reader.body(count: count)
        } catch {
            isBroken = true
            return nil
        }
    }

    /// Sends bytes of the response: first the header block in CGI form (RFC 3875 §6), then the body.
    ///
    /// - Returns: whether the web server still takes them.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        // Safe because FCGX_PutStr reads as many bytes as it is told there are.
        let written = unsafe bytes.withUnsafeBytes { buffer in
            unsafe FCGX_PutStr(
                buffer.baseAddress!.assumingMemoryBound(to: CChar.self), Int32(buffer.count), request.pointee.out)
        }
        return written == Int32(bytes.count)
    }
}

/// The parameters of one request: CGI variables (RFC 3875 §4.1) and what else the web server is configured to pass.
///
/// They are read where they lie, so only what is asked for costs anything, and there are none once the request has
/// ended. Bytes that are no UTF-8 arrive as U+FFFD.
public struct Parameters: Sendable {
    private let connection: FastCGIConnection

    init(of connection: FastCGIConnection) {
        self.connection = connection
    }

    /// All of them in the order sent.
    public var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        _ = unsafe connection.firstParameter { entry -> Never? in
            if let separator = unsafe strchr(entry, 61) {
                // Safe because both ends lie in one C string.
                let name = unsafe UnsafeRawBufferPointer(
                    start: entry, count: separator - UnsafeMutablePointer(mutating: entry))
                unsafe pairs.append((String(decoding: name, as: UTF8.self), String(cString: separator + 1)))
            }
            return nil
        }
        return pairs
    }

    /// How many there are.
    public var count: Int { connection.parameterCount }

    /// The first parameter of that name.
    public subscript(_ name: String) -> String? { connection.parameter(name) }

    /// The first header field of that name, as its sender wrote it: `If-None-Match` is in `HTTP_IF_NONE_MATCH`, and
    /// `Content-Type` may be in `CONTENT_TYPE` alone.
    public func field(_ name: String) -> String? {
        if let field = unsafe connection.firstParameter({ unsafe value(in: $0, ofField: name) }) { return field }
        if name == "Content-Type", let type = self["CONTENT_TYPE"], !type.isEmpty { return type }
        return nil
    }

    /// The header fields of that name, one for each line.
    public func fields(_ name: String) -> [String] {
        var fields: [String] = []
        _ = unsafe connection.firstParameter { entry -> Void? in
            if let value = unsafe value(in: entry, ofField: name) { fields.append(value) }
            return nil
        }
        return fields
    }
}

/// The value of a parameter that is a header field; nil when it is none or has another name.
private func value(in entry: UnsafePointer<CChar>, ofField name: String) -> String? {
    // Most parameters differ in the first byte.
    guard unsafe entry.pointee == 72, unsafe strncmp(entry, "HTTP_", 5) == 0 else { return nil }
    // Safe because no byte is looked at after one that differs, so none after the zero byte at the end.
    var place = unsafe entry + 5
    for byte in name.utf8 {
        guard byte != 0, unsafe UInt8(bitPattern: place.pointee) == byte.asInVariable else { return nil }
        unsafe place += 1
    }
    return unsafe place.pointee == 61 ? String(cString: place + 1) : nil
}

extension UInt8 {
    /// A byte of a field's name as CGI writes it (RFC 3875 §4.1.18): in upper case, and an underscore for a hyphen.
    fileprivate var asInVariable: UInt8 {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self & ~32
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: self
        }
    }
}
