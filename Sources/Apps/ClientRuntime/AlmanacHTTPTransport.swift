// The types of AlmanacTransport, and the version, belong to this module's interface, so that an app needs one import.
@_exported public import AlmanacTransport

@_exported public import enum AlmanacRevisions.AlmanacVersion

// Package.swift says which there is: this one on Linux.
#if canImport(AlmanacHTTPSClient)
    internal import AlmanacHTTPSClient
    public import FoundationEssentials
#else
    internal import AlmanacURLSessionTransport
#endif

/// Requests over HTTP, without caches and cookies; connections are kept and used again.
///
/// On Linux over libcurl, elsewhere over Foundation's `URLSession`. An app makes one and gives it to every library.
public final class AlmanacHTTPTransport: ClientTransport {
    private let transport: any ClientTransport

    #if canImport(AlmanacHTTPSClient)
        /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
        public init(caFile: URL? = nil) {
            transport = LibcurlTransport(caFile: caFile?.path)
        }
    #else
        /// Trusts the certificate authorities of the system.
        public init() {
            transport = URLSessionTransport()
        }
    #endif

    /// Sends a request, and gives its answer as soon as the head is here.
    ///
    /// - Throws: ``TransportFailure/tokenInClear`` for a token that would go over HTTP to another device.
    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        guard !request.showsToken else { throw .tokenInClear }
        return try await transport.open(request)
    }
}
