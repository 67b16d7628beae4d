public import Foundation

/// A document with what tells it from another one, and what form it has.
public struct LoadedConfigDocument: Sendable, Equatable {
    /// The document as it came.
    public var bytes: [UInt8]
    /// The server's `ETag`; nil when it has none.
    public var validator: String?
    /// The media type, for a decoder that reads several forms: `application/json`. Nil when it is not known.
    public var type: String?

    /// Hands over a document.
    public init(bytes: [UInt8], validator: String? = nil, type: String? = nil) {
        self.bytes = bytes
        self.validator = validator
        self.type = type
    }
}

/// Keeps the last document on the device.
public protocol ConfigDocumentCache: Sendable {
    /// Gives the document that was saved last.
    ///
    /// - Returns: nil when there is none yet.
    func load() throws -> LoadedConfigDocument?
    /// Puts a document in the place of the one before.
    func save(_ document: LoadedConfigDocument) throws
}

/// Brings documents from a server.
public protocol ConfigDocumentLoader: Sendable {
    /// Asks for the newest document.
    ///
    /// - Parameter validator: that of the document that is here already.
    /// - Returns: nil when that one is still the newest.
    func load(validator: String?) async throws -> LoadedConfigDocument?
    /// Says when to load, until the task is cancelled. Without an own way, that is once a minute.
    ///
    /// - Parameter update: loads the newest document; false where that failed.
    func follow(_ update: @escaping @Sendable () async -> Bool) async
}

extension ConfigDocumentLoader {
    /// Loads at once and then once a minute.
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

/// Keeps the document and its validator in one file, which is replaced as a whole.
public struct ConfigDocumentFileCache: ConfigDocumentCache {
    private let sealed: SealedFile

    private struct Head: Codable {
        var validator: String?
        var type: String?
    }

    /// Names the file.
    public init(file: URL) {
        sealed = SealedFile(url: file, kind: "document 1")
    }

    /// Gives the document of the file.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for a file that is damaged or of another kind.
    public func load() throws -> LoadedConfigDocument? {
        do throws(SealedFileFailure) {
            guard let payload = try sealed.read() else { return nil }
            let parts = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let head = try? JSONDecoder().decode(Head.self, from: parts[0]) else {
                throw .corrupt
            }
            return LoadedConfigDocument(bytes: Array(parts[1]), validator: head.validator, type: head.type)
        } catch {
            throw ConfigFailure.invalidValue("expected a kept document: \(error)")
        }
    }

    /// Replaces the file; on failure the old one stays.
    public func save(_ document: LoadedConfigDocument) throws {
        let head = try JSONEncoder().encode(Head(validator: document.validator, type: document.type))
        try sealed.write(head + Data("\n".utf8) + Data(document.bytes))
    }
}

/// Loads a document from a URL, an environment's `config.json` or any other, and only when it has changed.
public struct ConfigDocumentURLLoader: ConfigDocumentLoader {
    private let request: TransportRequest
    private let transport: any ClientTransport
    private let interval: Duration
    private let clock: any ClientClock

    /// Names the document.
    ///
    /// - Parameters:
    ///   - headers: sent with every request; an `Accept` among them takes the place of JSON's.
    ///   - timeout: how long one request may take.
    ///   - byteLimit: the most bytes of a document.
    ///   - interval: how often ``ConfigDocument/follow()`` asks.
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
        request.deadline = timeout
        self.request = request
        self.transport = transport
        self.interval = interval
        self.clock = clock
    }

    /// Loads the document when it is another one.
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

    /// Loads at once and then at each interval.
    public func follow(_ update: @escaping @Sendable () async -> Bool) async {
        await follow(every: interval, clock, update)
    }
}

extension LoadedConfigDocument {
    /// - Returns: nil where the document that is here already is the newest.
    init?(_ response: TransportResponse<[UInt8]>, after validator: String?, now: Date) throws(ConfigFailure) {
        switch response.status {
        case 200:
            self.init(
                bytes: response.body, validator: response.headers["ETag"], type: response.headers["Content-Type"])
        case 304 where validator != nil: return nil
        default: throw ConfigFailure(refusal: response, now: now)
        }
    }
}
