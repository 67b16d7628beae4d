/// The body of a request, read when an endpoint asks for it and never further than it allows.
public struct Body {
    /// What `Content-Length` says, in bytes.
    private let length: Int?
    private let read: (Int) -> [UInt8]?

    /// An empty body.
    public init() {
        length = 0
        read = { _ in [] }
    }

    /// - Parameters:
    ///   - length: the value of `Content-Length`; nil when it isn't a number.
    ///   - read: reads that many bytes, or returns nil when the client went away before it had sent them all.
    public init(length: Int?, read: @escaping (Int) -> [UInt8]?) {
        self.length = length
        self.read = read
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: a longer body is refused before memory is set aside for it; in bytes.
    public func bytes(limit: Int) throws(Problem) -> [UInt8] {
        guard let length, length >= 0 else {
            throw Problem(.invalidHeader, "Content-Length must be the body's number of bytes")
        }
        guard length <= limit else {
            throw Problem(.bodyTooLarge, "the body has \(length) bytes; at most \(limit) are taken")
        }
        guard let bytes = read(length) else {
            throw Problem(.invalidRequest, "the body ended before its \(length) bytes had arrived")
        }
        return bytes
    }
}
