internal import AlmanacPOSIX
internal import Glibc

/// A server on a free port of this machine, for tests that intercept a client's connections.
///
/// Each connection has a thread of its own and closes when its handler returns. The server stops when the last
/// reference to the object is released.
public final class LoopbackServer: Sendable {
    public let port: UInt16
    private let stop: Event

    /// - Parameter handle: called once per connection, on the connection's thread.
    public init(_ handle: @escaping @Sendable (LoopbackConnection) -> Void) throws {
        let listener: Int32
        (listener, port) = try Self.listen(backlog: 64)
        stop = try Event()
        let stop = stop
        _ = AlmanacPOSIX.Thread(name: "loopback") {
            while Poll.readable([stop.descriptor, listener]) == listener {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 { break }
                _ = AlmanacPOSIX.Thread(name: "connection") {
                    handle(LoopbackConnection(descriptor: descriptor, stop: stop))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit { stop.set() }

    /// Listens on a free port of this machine. The caller closes the socket.
    ///
    /// - Parameter backlog: the length of the queue of unaccepted connections.
    static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let (listener, port) = try bindPort()
        if Glibc.listen(listener, backlog) == 0 { return (listener, port) }
        let failure = SystemFailure.last
        close(listener)
        throw failure
    }

    /// Binds a socket to a free port of this machine. The caller closes the socket.
    fileprivate static func bindPort() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw SystemFailure.last }
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        if isReady { return (descriptor, UInt16(bigEndian: address.sin_port)) }
        let failure = SystemFailure.last
        close(descriptor)
        throw failure
    }
}

/// A port of this machine on which nobody listens. No server gets the port until the object is released.
public final class SilentPort: Sendable {
    public let port: UInt16
    private let descriptor: Int32

    public init() throws { (descriptor, port) = try LoopbackServer.bindPort() }

    deinit { close(descriptor) }
}

extension sockaddr_in {
    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
