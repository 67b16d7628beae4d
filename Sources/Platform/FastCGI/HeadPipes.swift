internal import AlmanacCFastCGI
internal import AlmanacCLinux
internal import AlmanacPOSIX
internal import Glibc

/// A pool of pipes through which libfcgi reads the heads of requests that have not arrived whole. It grows to the
/// largest number used at once.
final class HeadPipes: Sendable {
    private struct Pipe {
        let readEnd: Int32
        let writeEnd: Int32
    }

    /// Invariant: each pipe in here is empty, open and unused.
    private let idle = StripedLock<[Pipe]>([])

    /// The default capacity of a pipe, and the capacity for the largest head, both in bytes.
    private static let capacity = (default: 65_536, max: Int32(2 * RequestReader.maxParameterBytes))

    deinit {
        idle.withEachLock { pipes in
            for pipe in pipes {
                close(pipe.readEnd)
                close(pipe.writeEnd)
            }
        }
    }

    /// Passes a request to libfcgi.
    ///
    /// - Parameters:
    ///   - request: A request without a connection. It uses the descriptor of a pipe during this call only.
    ///   - head: The bytes that libfcgi reads to accept the request.
    /// - Returns: True if libfcgi accepted the request.
    func begin(_ request: UnsafeMutablePointer<FCGX_Request>, with head: [UInt8]) -> Bool {
        guard let pipe = idle.withAnyLock({ $0.popLast() }) ?? Self.open() else { return false }
        if head.count > Self.capacity.default { _ = fcntl(pipe.writeEnd, F_SETPIPE_SZ, Self.capacity.max) }
        // Safe because write reads only the given number of bytes.
        let written = unsafe head.withUnsafeBytes { unsafe write(pipe.writeEnd, $0.baseAddress!, $0.count) }
        // FCGX_Accept_r (libfcgi 2.4.2) first ends the previous request, which would close the descriptor unless
        // keepConnection is set. It reads to the end of the parameters, which is the end of the pipe's content; if
        // bytes were missing, the read would fail instead of waiting. On failure it closes the descriptor, and then
        // fails to accept another one, because there is no listening socket.
        unsafe request.pointee.keepConnection = 1
        unsafe request.pointee.ipcFd = pipe.readEnd
        let hasBegun = unsafe written == head.count && FCGX_Accept_r(request) == 0
        guard hasBegun else {
            if unsafe request.pointee.ipcFd >= 0 { close(pipe.readEnd) }
            close(pipe.writeEnd)
            unsafe request.pointee.ipcFd = -1
            return false
        }
        unsafe request.pointee.ipcFd = -1
        idle.withAnyLock { $0.append(pipe) }
        return true
    }

    private static func open() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        // Safe because pipe2 writes two numbers.
        guard unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        return Pipe(readEnd: ends[0], writeEnd: ends[1])
    }
}
