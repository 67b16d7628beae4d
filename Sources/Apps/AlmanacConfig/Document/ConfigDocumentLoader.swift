public import Foundation

/// A document with its validator and media type.
public struct LoadedConfigDocument: Sendable, Equatable {
    /// The document as received.
    public var bytes: [UInt8]
    /// The server's `ETag`; nil if there is none.
    public var validator: String?
    /// The media type, such as `application/json`, for a decoder of several formats; nil if unknown.
    public var type: String?

    /// Creates a document.
    public init(bytes: [UInt8], validator: String? = nil, type: String? = nil) {
        self.bytes = bytes
        self.validator = validator
        self.type = type
    }
}

/// A cache of the last document on the device.
public protocol ConfigDocumentCache: Sendable {
    /// Returns the saved document; nil if there is none.
    func load() throws -> LoadedConfigDocument?
    /// Replaces the saved document.
    func save(_ document: LoadedConfigDocument) throws
}

/// A loader of documents from a server.
public protocol ConfigDocumentLoader: Sendable {
    /// Loads the newest document.
    ///
    /// - Parameter validator: the validator of the current document.
    /// - Returns: nil if the current document is the newest.
    func load(validator: String?) async throws -> LoadedConfigDocument?
    /// Calls `update` whenever the document may have changed, by default once a minute, until the task is cancelled.
    ///
    /// - Parameter update: loads the newest document; returns false on failure.
    func follow(_ update: @escaping @Sendable () async -> Bool) async
}

extension ConfigDocumentLoader {
    /// Calls `update` at once and then once a minute.
    public func follow(_ update: @escaping @Sendable () async -> Bool) async {
        await follow(every: .seconds(60), SystemClientClock(), update)
    }

    func follow(every interval: Duration, _ clock: any ClientClock, _ update: () async -> Bool) async {
        while !Task.isCancelled {
            _ = await update()
            try? await clock.sleep(for: interval)
        }
    }
}

/// A cache in one file with the document and its validator. The file is replaced atomically.
public struct ConfigDocumentFileCache: ConfigDocumentCache {
    private let sealed: ChecksummedFile

    private struct Head: Codable {
        var validator: String?
        var type: String?
    }

    /// Creates a cache in a file.
    public init(file: URL) { sealed = ChecksummedFile(url: file, kind: "document 1") }

    /// Returns the document in the file; nil if there is no file.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the file is damaged or of another kind.
    public func load() throws -> LoadedConfigDocument? {
        do throws(ChecksummedFileFailure) {
            guard let payload = try sealed.read() else { return nil }
            let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]) else {
                throw .corrupt
            }
            return LoadedConfigDocument(bytes: Array(parts[1]), validator: head.validator, type: head.type)
        } catch {
            throw ConfigFailure.invalidValue("the stored document could not be read: \(error)")
        }
    }

    /// Replaces the file atomically; on failure the old file remains.
    public func save(_ document: LoadedConfigDocument) throws {
        let head = try JSONEncoder().encode(Head(validator: document.validator, type: document.type))
        try sealed.write(head + Data("\n".utf8) + Data(document.bytes))
    }
}

/// A loader of a document at a URL, for example an environment's `config.json`, that downloads changed documents only.
public struct ConfigDocumentURLLoader: ConfigDocumentLoader {
    private let request: TransportRequest
    private let transport: any ClientTransport
    private let interval: Duration
    private let clock: any ClientClock

    /// Creates a loader for a URL.
    ///
    /// - Parameters:
    ///   - headers: added to every request; `Accept` defaults to JSON.
    ///   - timeout: the time limit for one request.
    ///   - byteLimit: the upper bound of the document's size, in bytes.
    ///   - interval: the polling interval of ``ConfigDocument/follow()``.
    public init(
        url: URL, headers: [(name: String, value: String)] = [], timeout: Duration = .seconds(30),
        byteLimit: Int = 16 << 20, every interval: Duration = .seconds(60),
        transport: any ClientTransport = AlmanacHTTPTransport(), clock: any ClientClock = SystemClientClock()
    ) {
        var request = TransportRequest("GET", url.absoluteString, headers: headers, byteLimit: byteLimit)
        if !headers.contains(where: { $0.name.lowercased() == "accept" }) {
            request.headers.append((name: "Accept", value: "application/json"))
        }
        request.redirectLimit = 5
        request.timeout = timeout
        self.request = request
        self.transport = transport
        self.interval = interval
        self.clock = clock
    }

    /// Loads the document if it differs from the validator's document.
    ///
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
        return try LoadedConfigDocument(response, after: validator, now: clock.date)
    }

    /// Calls `update` at once and then at each interval.
    public func follow(_ update: @escaping @Sendable () async -> Bool) async {
        await follow(every: interval, clock, update)
    }
}

extension LoadedConfigDocument {
    /// - Returns: nil if the current document is the newest.
    init?(_ response: TransportResponse<[UInt8]>, after validator: String?, now: Date) throws(ConfigFailure) {
        switch response.status {
        case 200:
            self.init(bytes: response.body, validator: response.headers["ETag"], type: response.headers["Content-Type"])
        case 304 where validator != nil: return nil
        default: throw ConfigFailure(refusal: response, now: now)
        }
    }
}
