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
    private(set) var descriptor: Int32
    private var reader: RequestReader
    /// The lengths of the current request's parameters; empty once the request has ended.
    private var lengths = ParameterLengths()
    private var output = LibraryOutput()
    private var isNew = true
    /// The listener's slot with this connection, which lives as long as the listener.
    unowned let slot: ConnectionSlot
    private var isBroken = false
    /// True if the web server sends no other request on the connection: it has ended its side, or the parameter
    /// `ALMANAC_CONNECTION` says so.
    var isUsedOnce = false
    /// The reason for closing the connection after malformed input.
    public private(set) var refusal: String?

    /// The time limit for the web server to send or to receive bytes of a request.
    static let timeout = Duration.seconds(30)

    /// Fills a vacant slot of the listener. The slot keeps the connection alive until the slot is emptied.
    init(takingOwnership descriptor: Int32, in slot: ConnectionSlot) {
        self.slot = slot
        unsafe request = .allocate(capacity: 1)
        unsafe FCGX_InitRequest(request, -1, 0)
        self.descriptor = descriptor
        reader = RequestReader(of: descriptor)
        slot.fill(with: self)
    }

    /// True if bytes may have arrived that were neither received nor will be reported.
    var mayHaveUnread: Bool { reader.mayHaveUnread }

    /// Receives the bytes of the next request that have arrived, without waiting.
    func receive() -> Arrival { reader.receiveAtOnce() }

    /// Returns the descriptor on the first call, and nil afterwards.
    func firstReceived() -> Int32? {
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
        do {
            lengths = try reader.readHead(within: Self.timeout)
        } catch {
            if case .malformed(let reason) = error { refusal = reason }
            return nil
        }
        // FCGX_Accept_r (libfcgi 2.4.2) first ends the previous request, which would close the descriptor unless
        // keepConnection is set. It reads to the end of the parameters, which is the end of the input. On failure it
        // closes the descriptor, and then fails to accept another one, because there is no listening socket.
        unsafe request.pointee.keepConnection = 1
        unsafe request.pointee.ipcFd = descriptor
        let code = unsafe reader.withHead { head in
            unsafe LibraryInput.provide(head) { unsafe FCGX_Accept_r(request) }
        }
        guard code == 0 else {
            descriptor = -1
            refusal = "libfcgi refused the request"
            return nil
        }
        let parameters = Parameters(of: self)
        if parameters["ALMANAC_CONNECTION"] == "close" { isUsedOnce = true }
        return parameters
    }

    /// True if the web server has closed the connection, which it does when its client disconnects.
    public var isAbandoned: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Clears the pointer to the parameters, which libfcgi has freed but not reset.
    private func forgetParameters() {
        unsafe request.pointee.envp = nil
        lengths = ParameterLengths()
    }

    var parameterCount: Int { lengths.pairs.count }

    /// Returns the place of the next parameter, from `start` on, whose name has `length` bytes and is accepted.
    ///
    /// - Parameter isWanted: Receives a pointer to that many bytes.
    @inline(__always) func place(
        from start: Int = 0, length: Int, _ isWanted: (UnsafePointer<CChar>) -> Bool
    ) -> Int? {
        guard lengths.mayHaveName(of: length) else { return nil }
        let pairs = lengths.pairs
        var place = start
        while place < pairs.count {
            if pairs[place].name == length, unsafe isWanted(entry(at: place)) { return place }
            place += 1
        }
        return nil
    }

    func name(at place: Int) -> String { unsafe text(entry(at: place), lengths.pairs[place].name) }

    func value(at place: Int) -> String {
        let pair = lengths.pairs[place]
        let start = unsafe entry(at: place) + pair.name + 1
        // Safe because the value has that many bytes. PostgreSQL can't store a zero byte, so it ends the value.
        return unsafe text(start, strnlen(start, pair.value))
    }

    /// The parameter's bytes: the name, an equals sign, and the value.
    private func entry(at place: Int) -> UnsafePointer<CChar> {
        // Safe because libfcgi keeps the parameters until the request is finished, in the order sent, after its
        // own `FCGI_ROLE`.
        unsafe UnsafePointer(request.pointee.envp[place + 1]!)
    }

    private func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Sends the rest of the response and skips the rest of the request body, so that the next request begins at a
    /// record boundary. Returns false if the connection is closed.
    func finish() -> Bool {
        guard unsafe request.pointee.in != nil else {
            end()
            return false
        }
        if !hasReadAll { unsafe request.pointee.keepConnection = 0 }
        if output.isEmpty {
            unsafe FCGX_Finish_r(request)
        } else {
            output.collect(isEnding: true) { unsafe FCGX_Finish_r(request) }
        }
        forgetParameters()
        let isOpen = unsafe request.pointee.ipcFd >= 0
        if isOpen, isUsedOnce { close(descriptor) }
        if !isOpen || isUsedOnce { descriptor = -1 }
        unsafe request.pointee.ipcFd = -1
        return descriptor >= 0
    }

    /// Closes the connection between two requests, unless it is already closed.
    func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Sends the buffered part of the response and returns the rest as a stream, or nil if the web server has closed
    /// the connection. The connection object is then done.
    func detach() -> ResponseStream? {
        // Closing the connection with unread bytes would send a reset to the web server.
        precondition(output.isEmpty, "a stream begins with a short header")
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
        output = LibraryOutput()
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
            let put = { unsafe FCGX_PutStr(start, Int32(bytes.count), self.request.pointee.out) == Int32(bytes.count) }
            return output.isEmpty && bytes.count < Self.longPart ? put() : output.collect(bytes.count, put)
        }
    }

    /// The length from which a part of a response is collected, in bytes. libfcgi keeps shorter ones itself.
    private static let longPart = 8 << 10
}

/// The parameters of one request: CGI variables (RFC 3875 §4.1) and those that the web server is configured to pass.
///
/// A parameter is decoded only when read. The list is empty once the request has ended. Malformed UTF-8 is replaced by
/// U+FFFD.
public struct Parameters: Sendable {
    private let connection: FastCGIConnection

    init(of connection: FastCGIConnection) { self.connection = connection }

    public var pairs: [(name: String, value: String)] {
        (0..<count).map { (connection.name(at: $0), connection.value(at: $0)) }
    }

    public var count: Int { connection.parameterCount }

    public subscript(_ name: String) -> String? {
        var name = name
        let place = name.withUTF8 { name in
            // Safe because memcmp reads as many bytes as both names have.
            unsafe connection.place(length: name.count) { unsafe memcmp($0, name.baseAddress!, name.count) == 0 }
        }
        return place.map { connection.value(at: $0) }
    }

    /// Returns the first header field of that name, given in HTTP notation: `If-None-Match` is the parameter
    /// `HTTP_IF_NONE_MATCH`. `Content-Type` falls back to the parameter `CONTENT_TYPE`.
    public func field(_ name: String) -> String? {
        if let place = place(ofField: name) { return connection.value(at: place) }
        if name.utf8.count == 12, name == "Content-Type", let type = self["CONTENT_TYPE"], !type.isEmpty { return type }
        return nil
    }

    /// Returns all header fields of that name, one for each line.
    public func fields(_ name: String) -> [String] {
        var fields: [String] = []
        var next = 0
        while let place = place(ofField: name, from: next) {
            fields.append(connection.value(at: place))
            next = place + 1
        }
        return fields
    }

    /// Returns the place of the next parameter, from `start` on, that is the header field of that name.
    private func place(ofField name: String, from start: Int = 0) -> Int? {
        var name = name
        return name.withUTF8 { name in
            unsafe connection.place(from: start, length: 5 + name.count) { entry in
                guard unsafe memcmp(entry, "HTTP_", 5) == 0 else { return false }
                // Safe because the parameter's name has five bytes more than the field's.
                return name.indices.allSatisfy { unsafe UInt8(bitPattern: entry[5 + $0]) == name[$0].asInVariable }
            }
        }
    }
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
