internal import AlmanacPOSIX
internal import Glibc

/// A side of a connection on this machine.
public struct LoopbackConnection: Sendable {
    let descriptor: Int32
    /// The event that is set when the connection's server stops.
    let stop: Event?

    /// Reads a request or a response, head and body.
    ///
    /// - Returns: a partial message if the other side closes too early, or nil if it sends nothing.
    public func message() -> [UInt8]? {
        var message: [UInt8] = []
        var length: Int?
        while message.count < length ?? .max, let bytes = bytes() {
            message += bytes
            length = length ?? Self.wholeLength(ofMessageThatBegins: message)
        }
        return message.isEmpty ? nil : message
    }

    /// Returns the next bytes, or nil once the other side has closed the connection.
    func bytes() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk[..<count]) : nil
    }

    /// - Returns: `true` if the other side accepted all bytes.
    @discardableResult
    public func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var unsent = Array(bytes)[...]
        while !unsent.isEmpty {
            let count = unsafe unsent.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            unsent = unsent.dropFirst(count)
        }
        return true
    }

    public func waitForClose() {
        var byte: UInt8 = 0
        while unsafe recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// Blocks until the server stops.
    public func waitForEnd() { if let stop { _ = Poll.readable([stop.descriptor]) } }

    /// Connects to a port of this machine. The caller closes the connection.
    ///
    /// - Returns: nil if the connection is refused.
    public static func open(port: UInt16) -> LoopbackConnection? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in.loopback(port: port)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let connection = LoopbackConnection(descriptor: descriptor, stop: nil)
        if isConnected { return connection }
        connection.close()
        return nil
    }

    /// Connects to a Unix socket. The caller closes the connection.
    ///
    /// - Returns: nil if the connection is refused.
    static func open(path: String) -> LoopbackConnection? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let connection = LoopbackConnection(
            descriptor: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0), stop: nil)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(connection.descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return connection }
        connection.close()
        return nil
    }

    public func close() { _ = Glibc.close(descriptor) }

    /// Sends a request to a port of this machine. The request must ask the server to close the connection.
    ///
    /// - Returns: the response, possibly incomplete, or nil if there was none.
    public static func exchange(_ request: [UInt8], port: UInt16) -> [UInt8]? {
        guard let connection = open(port: port) else { return nil }
        defer { connection.close() }
        guard connection.send(request) else { return nil }
        var answer: [UInt8] = []
        while let bytes = connection.bytes() { answer += bytes }
        return answer.isEmpty ? nil : answer
    }

    /// Returns the length of the whole message in bytes, or nil while the head is incomplete.
    private static func wholeLength(ofMessageThatBegins bytes: [UInt8]) -> Int? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let body = head.firstMatch(of: /(?i)\r\ncontent-length: *([0-9]+)/).flatMap { Int($0.output.1) }
        return end.upperBound + (body ?? 0)
    }
}
