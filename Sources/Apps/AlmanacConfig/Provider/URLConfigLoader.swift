public import Foundation

/// Loads a document from a URL, an environment's `config.json` or any other, and only when it has changed.
public struct URLConfigLoader: RemoteConfigLoader {
    private let url: URL
    private let headers: [String: String]
    private let transport: any ConfigTransport
    private let timeout: Duration
    private let byteLimit: Int

    public init(
        _ url: URL, headers: [String: String] = [:], transport: any ConfigTransport = ConfigHTTPTransport(),
        timeout: Duration = .seconds(30), byteLimit: Int = 16 << 20
    ) {
        self.url = url
        self.headers = headers
        self.transport = transport
        self.timeout = timeout
        self.byteLimit = byteLimit
    }

    public func load(validator: String?) async throws -> LoadedConfig? {
        var request = TransportRequest(url: url, headers: headers, byteLimit: byteLimit)
        request.headers["Accept"] = "application/json"
        request.headers["If-None-Match"] = validator
        let (response, body) = try await transport.load(request, within: timeout)
        switch response.status {
        case 200: return LoadedConfig(data: body, validator: response.header("ETag"))
        case 304 where validator != nil: return nil
        default:
            let time = response.header("Retry-After").flatMap { RetryAfter.duration($0, now: Date()) }
            throw ConfigFailure.refused(status: response.status, problem: nil, retryAfter: time)
        }
    }
}
