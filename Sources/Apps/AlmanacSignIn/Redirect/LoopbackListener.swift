internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
#if canImport(Glibc)
    internal import Glibc
#endif

/// A listening socket on 127.0.0.1 with its connections.
final class LoopbackListener: Sendable {
    let port: UInt16
    private let listener: Int32
    /// A pipe; a byte written to it ends the wait.
    private let wake: (read: Int32, write: Int32)

    init(port: UInt16) throws(SignInFailure) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Self.failure }
        wake = (ends[0], ends[1])
        listener = socket(AF_INET, kind, 0)
        for descriptor in [listener] + ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        // Safe because the address lives until the calls have returned.
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe descriptor >= 0 && bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        // From here on, deinit closes the descriptors.
        guard isListening else { throw Self.failure }
    }

    deinit { for descriptor in [listener, wake.read, wake.write] where descriptor >= 0 { _ = close(descriptor) } }

    func stop() {
        var byte: UInt8 = 0
        _ = unsafe write(wake.write, &byte, 1)
    }

    /// Blocks until the expected request arrives, the time limit is reached or ``stop()`` is called.
    ///
    /// - Parameter reply: returns the response to a request's head, and the callback URL if it is the expected request.
    func serve(for limit: Duration, _ reply: (String) -> (text: String, callback: URL?)) -> Result<URL, SignInFailure> {
        let deadline = ContinuousClock.now + limit
        // Browsers open connections that they never use, so the listener serves several connections in parallel.
        var connections: [(descriptor: Int32, head: [UInt8])] = []
        defer { for connection in connections { _ = close(connection.descriptor) } }
        while true {
            let rest = deadline - ContinuousClock.now
            guard rest > .zero else { return .failure(.timedOut) }
            var entries = ([wake.read, listener] + connections.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let milliseconds = Int32(clamping: rest.components.seconds * 1000 + 1000)
            guard unsafe poll(&entries, nfds_t(entries.count), min(milliseconds, 1000)) > 0 else { continue }
            if entries[0].revents != 0 { return .failure(.cancelled) }
            let ready = Set(entries.filter { $0.revents != 0 }.map(\.fd))
            for index in connections.indices.reversed() where ready.contains(connections[index].descriptor) {
                guard let isWhole = Self.read(&connections[index]) else {
                    _ = close(connections.remove(at: index).descriptor)
                    continue
                }
                guard isWhole else { continue }
                let connection = connections.remove(at: index)
                let (text, callback) = reply(String(decoding: connection.head, as: UTF8.self))
                Self.send(text, on: connection.descriptor)
                _ = close(connection.descriptor)
                if let callback { return .success(callback) }
            }
            guard ready.contains(listener) else { continue }
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if connections.count >= Self.maxConnections { _ = close(connections.removeFirst().descriptor) }
            connections.append((descriptor, []))
        }
    }

    private static let maxConnections = 32
    private static let maxHeadBytes = 16_384

    /// Reads from a connection. Returns true if the head is complete, and nil if the connection must be closed.
    private static func read(_ connection: inout (descriptor: Int32, head: [UInt8])) -> Bool? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(connection.descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return nil }
        connection.head += chunk[..<count]
        guard connection.head.count <= maxHeadBytes else { return nil }
        return connection.head.firstRange(of: Array("\r\n\r\n".utf8)) != nil
    }

    /// Sends a response. It fits into the socket's buffer, so a client that does not read can't block the listener.
    private static func send(_ text: String, on descriptor: Int32) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe systemSend(descriptor, $0.baseAddress, $0.count, flags) }
    }

    private static var failure: SignInFailure {
        // Safe because strerror returns a null-terminated string.
        .setting("cannot listen on 127.0.0.1: \(unsafe String(cString: strerror(errno)))")
    }
}

// The member `send` hides the system's function inside the type.
private let systemSend = unsafe send
