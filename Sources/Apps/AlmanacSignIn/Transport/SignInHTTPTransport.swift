internal import AlmanacTransport

#if os(Linux)
    internal import AlmanacHTTPSClient
#else
    internal import AlmanacURLSessionTransport
#endif

/// Requests over HTTP, without caches and cookies. Redirects are not followed: nobody but the address that was asked gets a
/// code or a token.
///
/// On Linux over libcurl, elsewhere over Foundation's `URLSession`, which is untested there.
public final class SignInHTTPTransport: SignInTransport {
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

    public func send(_ request: SignInRequest) async throws -> SignInAnswer {
        var exchange = TransportRequest(
            request.method, request.url, headers: request.headers, body: request.body, byteLimit: request.byteLimit)
        exchange.deadline = .seconds(request.timeout)
        do throws(TransportFailure) {
            let answer = try await carrier.send(exchange)
            return SignInAnswer(status: answer.status, body: answer.body)
        } catch {
            throw SignInFailure(error)
        }
    }
}

extension SignInFailure {
    fileprivate init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .cancelled: .cancelled
            case .tooLarge(let limit): .unexpectedAnswer("expected at most \(limit) bytes")
            default: .unreachable("\(failure)")
            }
    }
}
