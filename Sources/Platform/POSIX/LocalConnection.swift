internal import AlmanacCLinux
internal import Glibc

/// A connection to a Unix socket on this machine.
public final class LocalConnection: Sendable {
    private let descriptor: Int32

    /// Connects without waiting for a server to start.
    public init(_ path: String) throws(SystemFailure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            throw SystemFailure(code: ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw .last }
        // Safe because the address lives until connect has read it.
        let code = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if code != 0 {
            let failure = SystemFailure.last
            close(descriptor)
            throw failure
        }
    }

    deinit { close(descriptor) }

    public func send(_ bytes: [UInt8]) throws(SystemFailure) { try File.write(bytes, to: descriptor) }

    /// Returns the next bytes, which are empty if the peer has closed the connection, or nil after the time limit.
    public func receive(upTo limit: Duration) throws(SystemFailure) -> [UInt8]? {
        guard Poll.readable([descriptor], upTo: limit) != nil else { return nil }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        if count < 0 { throw .last }
        return Array(chunk[..<count])
    }
}
