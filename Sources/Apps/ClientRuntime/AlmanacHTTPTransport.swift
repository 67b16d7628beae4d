// Re-exported so that an app needs a single import.
@_exported public import AlmanacTransport

@_exported public import enum AlmanacRevisions.AlmanacVersion

// Package.swift links AlmanacHTTPSClient on Linux only.
#if canImport(AlmanacHTTPSClient)
    internal import AlmanacHTTPSClient
    public import FoundationEssentials
#else
    internal import AlmanacURLSessionTransport
#endif

/// An HTTP transport that reuses connections and has neither a cache nor cookies.
///
/// The transport uses libcurl on Linux, elsewhere Foundation's `URLSession`. An app shares one with every library.
public final class AlmanacHTTPTransport: ClientTransport {
    private let transport: any ClientTransport

    #if canImport(AlmanacHTTPSClient)
        /// - Parameter caFile: the only trusted certificate authorities, in PEM; nil trusts the system's.
        public init(caFile: URL? = nil) { transport = LibcurlTransport(caFile: caFile?.path) }
    #else
        /// Trusts the certificate authorities of the system.
        public init() { transport = URLSessionTransport() }
    #endif

    /// Sends a request and returns its response once the response's head has arrived.
    ///
    /// - Throws: ``TransportFailure/tokenInClear`` if the request would send a token over HTTP to another device.
    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        guard !request.sendsTokenInClear else { throw .tokenInClear }
        return try await transport.open(request)
    }
}
