// The types of AlmanacTransport belong to this module's interface, so that an app needs one import.
@_exported public import AlmanacTransport

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

/// Requests over HTTP, without caches and cookies; connections are kept and used again.
///
/// On Linux over libcurl, elsewhere over Foundation's `URLSession`, which is untested there. An app makes one and gives
/// it to every library.
public final class AlmanacHTTPTransport: ClientTransport {
    private let transport: any ClientTransport

    #if os(Linux)
        /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
        public init(caFile: URL? = nil) {
            transport = LibcurlTransport(caFile: caFile?.path)
        }
    #else
        public init() {
            transport = URLSessionTransport()
        }
    #endif

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        try await transport.open(request)
    }
}
