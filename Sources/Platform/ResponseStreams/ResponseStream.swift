internal import AlmanacCLinux
internal import Glibc

/// The rest of a response that continues in FastCGI records after its worker thread has released the connection.
///
/// No call blocks, so one thread can serve any number of streams. The sender keeps the order: unsent bytes must be sent
/// before any others.
public final class ResponseStream: Sendable {
    /// The descriptor of the connection, owned by the stream.
    public let descriptor: Int32
    /// The request id on the connection, which every record contains (FastCGI 1.0 §3.3).
    private let request: UInt16

    private static let standardOutput: UInt8 = 6
    private static let endOfRequest: UInt8 = 3
    /// The limit on the content of one record, in bytes.
    private static let maxRecordBytes = 65_535

    /// - Parameters:
    ///   - descriptor: The connection, which is closed with the stream.
    ///   - request: The request id.
    public init(takingOwnership descriptor: Int32, request: UInt16) {
        self.descriptor = descriptor
        self.request = request
    }

    deinit { close(descriptor) }

    /// Returns the records that carry bytes of the body.
    public func records(_ bytes: [UInt8]) -> [UInt8] {
        var records: [UInt8] = []
        records.reserveCapacity(bytes.count + 8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let content = rest.prefix(Self.maxRecordBytes)
            records += header(Self.standardOutput, length: content.count)
            records += content
            rest = rest.dropFirst(content.count)
        }
        return records
    }

    /// The records that end the response (FastCGI 1.0 §5.5).
    public var end: [UInt8] {
        header(Self.standardOutput, length: 0) + header(Self.endOfRequest, length: 8) + [UInt8](repeating: 0, count: 8)
    }

    /// The result of sending bytes.
    public enum Sent: Sendable, Equatable {
        case all
        /// The send buffer is full; this number of bytes at the end is unsent.
        case partial(unsent: Int)
        /// The web server or its client has closed the connection.
        case gone
    }

    /// Sends as many bytes of records as fit into the connection's send buffer.
    public func send(_ records: ArraySlice<UInt8>) -> Sent {
        var rest = records
        while !rest.isEmpty {
            // Safe because send reads only the given number of bytes.
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.send(descriptor, buffer.baseAddress!, buffer.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN || errno == EWOULDBLOCK ? .partial(unsent: rest.count) : .gone
            }
            rest = rest.dropFirst(count)
        }
        return .all
    }

    private func header(_ type: UInt8, length: Int) -> [UInt8] {
        [1, type, UInt8(request >> 8), UInt8(request & 255), UInt8(length >> 8), UInt8(length & 255), 0, 0]
    }
}
