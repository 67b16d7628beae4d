internal import AlmanacTransport
internal import Foundation

#if os(Linux)
    internal import AlmanacHTTPSClient
#else
    internal import AlmanacURLSessionTransport
#endif

/// Requests over HTTP, without caches and cookies.
///
/// Follows at most five redirects, and gives `Authorization` to the origin that was asked and to no other. On Linux over
/// libcurl, elsewhere over Foundation's `URLSession`, which is untested there.
public final class ConfigHTTPTransport: ConfigTransport {
    private let carrier: any ClientTransport

    #if os(Linux)
        /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
        public init(caFile: String? = nil) {
            carrier = LibcurlTransport(caFile: caFile)
        }
    #else
        public init() {
            carrier = URLSessionTransport()
        }
    #endif

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var exchange = AlmanacTransport.TransportRequest(
            "GET", request.url.absoluteString, headers: request.headers.map { (name: $0.key, value: $0.value) },
            byteLimit: request.byteLimit)
        exchange.redirectLimit = 5
        // What takes too long is cancelled by who asked; this only bounds silence, and no stream is silent so long.
        exchange.silence = .seconds(120)
        let answer = try await carrier.open(exchange)
        return TransportResponse(
            status: answer.status, headers: Dictionary(answer.headers.fields) { "\($0), \($1)" }, body: answer.body)
    }
}
