public import Foundation

/// A document with what tells it from another one.
public struct LoadedConfigDocument: Sendable, Equatable {
    public var bytes: [UInt8]
    /// The server's `ETag`; nil when it has none.
    public var validator: String?

    public init(bytes: [UInt8], validator: String? = nil) {
        self.bytes = bytes
        self.validator = validator
    }
}

/// Keeps the last document on the device.
public protocol ConfigDocumentCache: Sendable {
    /// - Returns: nil when there is none yet.
    func load() throws -> LoadedConfigDocument?
    func save(_ document: LoadedConfigDocument) throws
}

/// Brings documents from a server.
public protocol ConfigDocumentLoader: Sendable {
    /// - Parameter validator: that of the document that is here already.
    /// - Returns: nil when that one is still the newest.
    func load(validator: String?) async throws -> LoadedConfigDocument?
}

/// Keeps the document and its validator in one file, which is replaced as a whole.
public struct ConfigDocumentFileCache: ConfigDocumentCache {
    private let sealed: SealedFile

    private struct Head: Codable {
        var validator: String?
    }

    public init(file: URL) {
        sealed = SealedFile(url: file, kind: "document 1")
    }

    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for a file that is damaged or of another kind.
    public func load() throws -> LoadedConfigDocument? {
        do throws(SealedFileFailure) {
            guard let payload = try sealed.read() else { return nil }
            let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]) else {
                throw .corrupt
            }
            return LoadedConfigDocument(bytes: Array(parts[1]), validator: head.validator)
        } catch {
            throw ConfigFailure.invalidValue("expected a kept document: \(error)")
        }
    }

    public func save(_ document: LoadedConfigDocument) throws {
        let head = try JSONEncoder().encode(Head(validator: document.validator))
        try sealed.write(head + Data("\n".utf8) + Data(document.bytes))
    }
}

/// Loads a document from a URL, an environment's `config.json` or any other, and only when it has changed.
public struct ConfigDocumentURLLoader: ConfigDocumentLoader {
    private let request: TransportRequest
    private let transport: any ClientTransport
    private let clock: any ClientClock

    public init(
        url: URL, headers: [(name: String, value: String)] = [], timeout: Duration = .seconds(30),
        byteLimit: Int = 16 << 20, transport: any ClientTransport = AlmanacHTTPTransport(),
        clock: any ClientClock = SystemClientClock()
    ) {
        var request = TransportRequest("GET", url.absoluteString, headers: headers, byteLimit: byteLimit)
        request.headers.append((name: "Accept", value: "application/json"))
        request.redirectLimit = 5
        request.deadline = timeout
        self.request = request
        self.transport = transport
        self.clock = clock
    }

    /// - Throws: ``ConfigFailure``.
    public func load(validator: String?) async throws -> LoadedConfigDocument? {
        var request = request
        if let validator { request.headers.append((name: "If-None-Match", value: validator)) }
        let response: TransportResponse<[UInt8]>
        do throws(TransportFailure) {
            response = try await transport.send(request)
        } catch {
            throw ConfigFailure(error)
        }
        switch response.status {
        case 200: return LoadedConfigDocument(bytes: response.body, validator: response.headers["ETag"])
        case 304 where validator != nil: return nil
        default: throw ConfigFailure(refusal: response, now: clock.date)
        }
    }
}
