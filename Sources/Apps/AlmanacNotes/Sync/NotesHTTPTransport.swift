internal import AlmanacTransport

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if os(Linux)
    internal import AlmanacHTTPSClient
#else
    internal import AlmanacURLSessionTransport
#endif

/// Carries requests over HTTP. Redirects are not followed, cookies not kept, and an answer of more than 32 MiB is cut off.
///
/// On Linux over libcurl, elsewhere over Foundation's `URLSession`, which is untested there.
public final class NotesHTTPTransport: NotesTransport {
    private let environment: URL
    private let carrier: any ClientTransport

    /// The longest answer that is kept in memory, in bytes.
    private static let longest = 32 << 20

    #if os(Linux)
        /// - Parameters:
        ///   - environment: the address of one environment: `https://notes.example.com/production`.
        ///   - caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
        public init(environment: URL, caFile: String? = nil) {
            self.environment = environment
            carrier = LibcurlTransport(caFile: caFile)
        }
    #else
        /// - Parameter environment: the address of one environment: `https://notes.example.com/production`.
        public init(environment: URL) {
            self.environment = environment
            carrier = URLSessionTransport()
        }
    #endif

    public func send(_ request: NotesRequest) async throws -> NotesAnswer {
        var exchange = try self.exchange(request)
        exchange.byteLimit = Self.longest
        exchange.silence = request.timeout
        let answer = try await carrier.send(exchange)
        return NotesAnswer(status: answer.status, headers: answer.headers.fields, body: answer.body)
    }

    public func open(_ request: NotesRequest) async throws -> NotesStream {
        var exchange = try self.exchange(request)
        // Between two pieces of a stream more time may pass than between request and answer.
        exchange.silence = .seconds(3600)
        let answer = try await carrier.open(exchange)
        return NotesStream(status: answer.status, bytes: answer.body)
    }

    private func exchange(_ request: NotesRequest) throws -> TransportRequest {
        let address = environment.appendingPathComponent(request.path)
        guard var components = URLComponents(url: address, resolvingAgainstBaseURL: false) else {
            throw TransportFailure.unsendable("the URL")
        }
        if !request.query.isEmpty {
            components.queryItems = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        }
        guard let url = components.url else { throw TransportFailure.unsendable("the URL") }
        return TransportRequest(request.method, url.absoluteString, headers: request.headers, body: request.body)
    }
}
