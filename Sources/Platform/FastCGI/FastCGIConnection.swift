internal import AlmanacCFastCGI
internal import AlmanacCLinux
internal import AlmanacResponseStreams
internal import Glibc

/// A FastCGI connection from the web server, which carries one request after another.
@safe public final class FastCGIConnection: @unchecked Sendable {
    // Safe because the request keeps its address until deinit, and only one thread at a time uses the connection: the
    // one that received it from `Listener.accept`, until it gives the connection back or passes it to another thread
    // under a lock.
    private let request: UnsafeMutablePointer<FCGX_Request>
    /// -1 once the connection is closed or detached. libfcgi holds the descriptor during a request.
    private var descriptor: Int32
    private var reader: RequestReader
    private let pipes: HeadPipes
    private var isNew = true
    private var isBroken = false
    private(set) var parameterCount = 0
    /// The reason for closing the connection after malformed input.
    public private(set) var refusal: String?

    /// The time limit for the web server to send or to receive bytes of a request, in seconds.
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

    /// The address of the connection, as a numeric tag.
    var tag: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    static func tagged(_ tag: UInt) -> FastCGIConnection {
        // Safe because the listener keeps a connection alive for as long as its tag can come up.
        unsafe Unmanaged<FastCGIConnection>.fromOpaque(UnsafeRawPointer(bitPattern: tag)!).takeUnretainedValue()
    }

    /// Returns the descriptor on the first call, and nil afterwards.
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

    /// Reads the parameters of the next request, in the order sent (FastCGI 1.0 §3.4). Returns nil if the connection
    /// has ended or the input is malformed; `refusal` then has the reason.
    public func nextRequest() -> Parameters? {
        let head: RequestReader.Head
        do {
            head = try reader.head(within: .seconds(Self.timeout))
        } catch {
            if case .malformed(let reason) = error { refusal = reason }
            return nil
        }
        let hasBegun =
            switch head.source {
            case .connection: beginFromConnection()
            case .records(let records): unsafe pipes.begin(request, with: records)
            }
        guard hasBegun else {
            refusal = "libfcgi refused the request"
            return nil
        }
        unsafe request.pointee.ipcFd = descriptor
        parameterCount = head.count
        return Parameters(of: self)
    }

    /// Lets libfcgi read a validated request from the connection. On failure libfcgi closes the connection.
    private func beginFromConnection() -> Bool {
        // See HeadPipes.begin. The body is in the reader's buffer too, so libfcgi is never asked for it.
        unsafe request.pointee.keepConnection = 1
        unsafe request.pointee.ipcFd = descriptor
        if unsafe FCGX_Accept_r(request) == 0 { return true }
        descriptor = -1
        return false
    }

    /// True if the web server has closed the connection, which it does when its client disconnects.
    public var isAbandoned: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Clears the pointer to the parameters, which libfcgi has freed but not reset.
    private func forgetParameters() {
        unsafe request.pointee.envp = nil
        parameterCount = 0
    }

    func parameter(_ name: String) -> String? {
        var name = name
        return name.withUTF8 { name in
            unsafe firstParameter { entry in
                // Safe because the loop stops at the first byte that differs, so it never passes the zero byte at the
                // end.
                for index in name.indices {
                    guard unsafe name[index] != 0, unsafe UInt8(bitPattern: entry[index]) == name[index] else {
                        return nil
                    }
                }
                return unsafe entry[name.count] == 61 ? String(cString: entry + name.count + 1) : nil
            }
        }
    }

    /// Passes each parameter to `body` as a C string `NAME=value`, until `body` returns a value.
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

    /// Sends the rest of the response and skips the rest of the request body, so that the next request begins at a
    /// record boundary. Returns the descriptor to wait on for the next request, or nil if the connection is closed.
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

    /// Sends the buffered part of the response and returns the rest as a stream, or nil if the web server has closed
    /// the connection. The connection object is then done.
    func detach() -> ResponseStream? {
        // Closing the connection with unread bytes would send a reset to the web server.
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

    /// Aborts the response, so that the web server recognises it as incomplete.
    public func abort() {
        guard unsafe request.pointee.in != nil else { return }
        unsafe FCGX_Free(request, 1)
        forgetParameters()
        descriptor = -1
    }

    /// Skips the rest of the body. Returns true if the next request can follow it.
    private var hasReadAll: Bool {
        if isBroken { return false }
        do {
            try reader.skipBody()
            // Bytes of a next request sent before the response would be lost.
            return reader.isAtEnd
        } catch {
            return false
        }
    }

    /// Reads the request body, whose length the web server has announced. Returns exactly that many bytes, or nil if
    /// the body ended earlier or could not be read.
    public func readBody(count: Int) -> [UInt8]? {
        do {
            return try reader.body(count: count)
        } catch {
            isBroken = true
            return nil
        }
    }

    /// Sends bytes of the response: the header block in CGI form (RFC 3875 §6), then the body. Returns true if the web
    /// server still accepts bytes.
    @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe write($0) }
    }

    @discardableResult public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe write($0) }
    }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        // Safe because FCGX_PutStr reads only the given number of bytes.
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
            unsafe FCGX_PutStr(start, Int32(bytes.count), request.pointee.out) == Int32(bytes.count)
        }
    }
}

/// The parameters of one request: CGI variables (RFC 3875 §4.1) and those that the web server is configured to pass.
///
/// A parameter is decoded only when read. The list is empty once the request has ended. Malformed UTF-8 is replaced by
/// U+FFFD.
public struct Parameters: Sendable {
    private let connection: FastCGIConnection

    init(of connection: FastCGIConnection) { self.connection = connection }

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

    public var count: Int { connection.parameterCount }

    public subscript(_ name: String) -> String? { connection.parameter(name) }

    /// Returns the first header field of that name, given in HTTP notation: `If-None-Match` is the parameter
    /// `HTTP_IF_NONE_MATCH`. `Content-Type` falls back to the parameter `CONTENT_TYPE`.
    public func field(_ name: String) -> String? {
        if let field = unsafe connection.firstParameter({ unsafe value(in: $0, ofField: name) }) { return field }
        if name.utf8.count == 12, name == "Content-Type", let type = self["CONTENT_TYPE"], !type.isEmpty { return type }
        return nil
    }

    /// Returns all header fields of that name, one for each line.
    public func fields(_ name: String) -> [String] {
        var fields: [String] = []
        _ = unsafe connection.firstParameter { entry -> Void? in
            if let value = unsafe value(in: entry, ofField: name) { fields.append(value) }
            return nil
        }
        return fields
    }
}

/// Returns the value of a parameter that is the header field of that name, or nil for any other parameter.
private func value(in entry: UnsafePointer<CChar>, ofField name: String) -> String? {
    // The first byte already differs in most parameters.
    guard unsafe entry.pointee == 72, unsafe strncmp(entry, "HTTP_", 5) == 0 else { return nil }
    // Safe because the loop stops at the first byte that differs, so it never passes the zero byte at the end.
    var place = unsafe entry + 5
    for byte in name.utf8 {
        guard byte != 0, unsafe UInt8(bitPattern: place.pointee) == byte.asInVariable else { return nil }
        unsafe place += 1
    }
    return unsafe place.pointee == 61 ? String(cString: place + 1) : nil
}

extension UInt8 {
    /// The byte in CGI notation (RFC 3875 §4.1.18): in upper case, with an underscore for a hyphen.
    fileprivate var asInVariable: UInt8 {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self & ~32
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: self
        }
    }
}
