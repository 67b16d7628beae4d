internal import AlmanacCCurl
internal import AlmanacPOSIX
public import AlmanacTransport
internal import Synchronization

extension HTTPSClient {
    /// Sends a request and passes on the response as it arrives, so that neither body is ever whole in memory. Later
    /// exchanges reuse the connection. An error of a closure ends the exchange and is rethrown.
    ///
    /// - Parameters:
    ///   - request: Its `body` must be nil, and its `byteLimit` is ignored.
    ///   - uploadBytes: The length of the request body in bytes; nil for a request without a body.
    ///   - fill: Sends that number of bytes in parts.
    ///   - begin: Receives the head of the response, whatever its status.
    ///   - receive: Receives a part of the response body.
    public func exchange(
        _ request: TransportRequest,
        uploadBytes: Int? = nil, fill: (_ send: @escaping ([UInt8]) throws -> Void) throws -> Void = { _ in },
        begin: (_ status: Int, _ headers: HeaderFields) throws -> Void, receive: ([UInt8]) throws -> Void
    ) throws {
        guard WebAddress(request.url) != nil else { throw TransportFailure.unsendable("the URL") }
        var request = request
        request.timeout = request.timeout ?? timeout
        request.byteLimit = nil
        try withoutActuallyEscaping(begin) { begin in
            try withoutActuallyEscaping(receive) { receive in
                let transfer = try StreamingTransfer(
                    request, caFile: caFile, uploadBytes: uploadBytes, connections, begin: begin, receive: receive)
                do {
                    try fill(transfer.send)
                } catch {
                    // The server may respond before it has received the whole body.
                    guard transfer.hasEnded else { throw error }
                }
                try transfer.finish()
            }
        }
    }
}

/// A transfer that the calling thread drives part by part.
private final class StreamingTransfer: Transfer {
    private struct EndedEarly: Error {}

    private let connections: IdleConnections
    private let multi: MultiHandle
    private let beginning: (_ status: Int, _ headers: HeaderFields) throws -> Void
    private let receiving: ([UInt8]) throws -> Void
    private var unsent: ArraySlice<UInt8> = []
    /// True while libcurl waits for bytes of the request body.
    private var isPaused = false
    private var code: CURLcode?
    private var closureFailure: (any Error)?

    var hasEnded: Bool { code != nil }

    init(
        _ request: TransportRequest, caFile: String?, uploadBytes: Int?, _ connections: IdleConnections,
        begin: @escaping (_ status: Int, _ headers: HeaderFields) throws -> Void,
        receive: @escaping ([UInt8]) throws -> Void
    ) throws(TransportFailure) {
        (beginning, receiving, self.connections, multi) = (begin, receive, connections, connections.take())
        try super.init(request, caFile: caFile)
        handle.set(CURLOPT_BUFFERSIZE, 256 << 10)
        if let uploadBytes { sendHere(uploadBytes) }
        multi.add(handle)
    }

    deinit {
        multi.remove(handle)
        connections.add(multi)
    }

    /// Sends a part of the request body, and returns once libcurl has taken all of it.
    func send(_ part: [UInt8]) throws {
        unsent = part[...]
        if isPaused {
            isPaused = false
            handle.resume()
        }
        try drive { self.unsent.isEmpty }
        if hasEnded { throw EndedEarly() }
    }

    /// Waits for the end of the response.
    func finish() throws {
        try drive { false }
        if let closureFailure { throw closureFailure }
        if let code, let failure = failure(code) { throw failure }
    }

    /// Runs the transfer until its end or until a condition is true.
    private func drive(until isDone: () -> Bool) throws {
        RunnableThreads.makeWay()
        while !hasEnded {
            multi.perform()
            code = unsafe multi.nextEnded()?.code
            if hasEnded || isDone() { return }
            multi.wait()
        }
    }

    override func begin(_ status: Int, _ headers: HeaderFields) {
        do { try beginning(status, headers) } catch { closureFailure = error }
    }

    override func take(_ part: [UInt8]) -> Bool {
        guard closureFailure == nil else { return false }
        do { try receiving(part) } catch { closureFailure = error }
        return closureFailure == nil
    }

    /// Registers this object as the source of the request body. It outlives the last call of its handle.
    private func sendHere(_ bytes: Int) {
        handle.set(CURLOPT_UPLOAD, 1)
        // The body could not be sent again if a reused connection turned out to be closed.
        handle.set(CURLOPT_FRESH_CONNECT, 1)
        handle.setUploadBytes(bytes)
        handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_set_callback(handle.pointer, CURLOPT_READFUNCTION) { buffer, size, count, context in
            // Safe because the context is the transfer given below, and libcurl's buffer has that many bytes.
            let space = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return unsafe Unmanaged<StreamingTransfer>.fromOpaque(context!).takeUnretainedValue().fill(space)
        }
        unsafe ccurl_set_pointer(handle.pointer, CURLOPT_READDATA, context)
    }

    /// Copies the next bytes of the request body, and returns their number.
    private func fill(_ space: UnsafeMutableRawBufferPointer) -> Int {
        guard !unsent.isEmpty else {
            isPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
        let part = unsent.prefix(space.count)
        unsafe space.copyBytes(from: part)
        unsent = unsent.dropFirst(part.count)
        return part.count
    }
}

/// The open connections of ended transfers, which later transfers reuse.
final class IdleConnections: Sendable {
    private static let maxHandles = 8
    private let handles = Mutex<[MultiHandle]>([])

    func take() -> MultiHandle { handles.withLock { $0.popLast() } ?? MultiHandle() }

    func add(_ handle: MultiHandle) { handles.withLock { if $0.count < Self.maxHandles { $0.append(handle) } } }
}
