import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTransport
import AlmanacURLSessionTransport

/// The transports, which must all behave the same.
enum TestedTransport {
    case libcurl, urlSession

    /// The tested transports. With `ALMANAC_TEST_URLSESSION` in the environment, that is the transport of Apple
    /// platforms. Run its tests one at a time: some of them crash Foundation on Linux.
    static let all: [TestedTransport] = [Process.variable("ALMANAC_TEST_URLSESSION") == nil ? .libcurl : .urlSession]

    func transport() -> any ClientTransport {
        switch self {
        case .libcurl: LibcurlTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}
