import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTransport
import AlmanacURLSessionTransport

/// The transports, which all have to do the same.
enum Subject {
    case libcurl, urlSession

    /// With `ALMANAC_TEST_URLSESSION` in the environment that of Apple's platforms, one test at a time: Foundation on
    /// Linux ends the process in some of them.
    static let all: [Subject] = [Process.variable("ALMANAC_TEST_URLSESSION") == nil ? .libcurl : .urlSession]

    func transport() -> any ClientTransport {
        switch self {
        case .libcurl: LibcurlTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}
