public import Foundation

/// A `GET` that a transport is asked to make.
public struct TransportRequest: Sendable {
    public var url: URL
    /// Header fields; `Authorization` is for the origin of `url` only.
    public var headers: [String: String]
    /// The most bytes of the body, after decompression, that may arrive; nil for a stream without end.
    public var byteLimit: Int?

    public init(url: URL, headers: [String: String] = [:], byteLimit: Int? = nil) {
        self.url = url
        self.headers = headers
        self.byteLimit = byteLimit
    }
}
