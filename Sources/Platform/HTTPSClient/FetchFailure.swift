/// Why a request got no usable answer, for logs.
public enum FetchFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// No complete answer: no such host, nothing listens, a certificate that is not trusted, the time was over.
    case unreachable(String)
    /// Any other status than 200 where a document was wanted; redirects are not followed.
    case status(Int)
    /// - limit: in bytes.
    case tooLarge(limit: Int)
    /// A part of the request that HTTP cannot carry, such as a header with a line break.
    case unsendable(String)

    public var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .status(let status): "the answer has the status \(status)"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .unsendable(let part): "\(part) holds what HTTP cannot carry"
        }
    }
}
