internal import AlmanacCLinux
internal import AlmanacPOSIX
internal import Glibc

/// Functions that open listening sockets.
///
/// They replace `FCGX_OpenSocket`, which ends the process on failure, removes any file at the path, and takes the path
/// from a running server.
enum ListeningSocket {
    /// The limit on connections waiting to be accepted.
    private static let backlog: Int32 = 1024

    /// - Parameter address: `host:port`, `[host]:port` or `:port` for TCP, or a path for a Unix socket.
    static func open(_ address: String) throws(ListenerFailure) -> Int32 {
        guard !address.utf8.contains(UInt8(ascii: "/")), let colon = address.utf8.lastIndex(of: UInt8(ascii: ":"))
        else { return try open(path: address) }
        let host = address[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return try open(
            host: String(isBracketed ? host.dropFirst().dropLast() : host),
            port: String(address[colon...].dropFirst()), address)
    }

    private static func open(path: String) throws(ListenerFailure) -> Int32 {
        // sun_path has room for 107 bytes and a zero byte.
        guard path.utf8.count <= 107 else { throw .addressTooLong(path) }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .cannotOpen(path, SystemFailure(code: EINVAL)) }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        // Safe because a sockaddr_un is a sockaddr of its own size.
        return try unsafe withUnsafePointer(to: &place) { place throws(ListenerFailure) in
            try unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place throws(ListenerFailure) in
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                try unsafe removeLeftover(path, place, size)
                do throws(SystemFailure) {
                    return try unsafe listen(AF_UNIX, place, size)
                } catch {
                    throw .cannotOpen(path, error)
                }
            }
        }
    }

    /// Removes the socket of a server that has ended. Any other file stays, and binding then fails.
    private static func removeLeftover(
        _ path: String, _ place: UnsafePointer<sockaddr>, _ size: socklen_t
    ) throws(ListenerFailure) {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if probe < 0 { throw .cannotOpen(path, .last) }
        defer { close(probe) }
        // Connecting to a file that is no socket is refused too, so check the type first.
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        if unsafe connect(probe, place, size) != 0, errno == ECONNREFUSED { unsafe unlink(path) }
    }

    private static func open(host: String, port: String, _ address: String) throws(ListenerFailure) -> Int32 {
        guard port.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(port), number > 0 else {
            throw .noPort(address)
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>? = nil
        // Safe because the list is freed once, after its last use.
        guard unsafe getaddrinfo(host.isEmpty ? nil : host, port, &hints, &list) == 0, let first = unsafe list else {
            throw .unknownHost(address)
        }
        defer { unsafe freeaddrinfo(first) }
        do throws(SystemFailure) {
            return try unsafe listen(first.pointee.ai_family, first.pointee.ai_addr, first.pointee.ai_addrlen)
        } catch {
            throw .cannotOpen(address, error)
        }
    }

    private static func listen(
        _ family: Int32, _ place: UnsafePointer<sockaddr>, _ size: socklen_t
    ) throws(SystemFailure) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw .last }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, place, size) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let failure = SystemFailure.last
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
