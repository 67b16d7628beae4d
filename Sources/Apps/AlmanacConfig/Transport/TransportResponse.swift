public import Foundation

/// The head of an answer, and its body as it arrives.
public struct TransportResponse: Sendable {
    public let status: Int
    /// The parts of the body. Letting go of it ends the transfer.
    public let body: AsyncThrowingStream<[UInt8], any Error>
    private let headers: [String: String]

    public init(status: Int, headers: [String: String], body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }

    /// An answer whose body is known.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array(body))
            continuation.finish()
        }
        self.init(status: status, headers: headers, body: stream)
    }

    /// The value of a header field, whatever its case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
