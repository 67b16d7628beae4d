internal import AlmanacCryptography
public import AlmanacEnvironments
internal import AlmanacHTTPSClient
internal import AlmanacPOSIX
internal import AlmanacTimestamps
internal import AlmanacTransport

/// A client of one bucket of Amazon S3 or a compatible store, with paths that name the bucket.
///
/// Bodies are sent and received in pieces. The hash of a body is part of the signature, so the store can check it too.
public struct S3Client: Sendable {
    private let client: HTTPSClient
    private let signer: SignatureV4
    private let base: String
    private let host: String
    private let bucketPath: String
    private let deadline: Duration
    private let idleTimeout: Duration

    /// The hash of an empty body.
    private static let emptyHash = Hex.encode(SHA256.digest([]))
    /// The limit on the body of an error or a listing, in bytes.
    private static let textLimit = 4 << 20

    /// - Parameters:
    ///   - deadline: The time limit of an exchange without a body. Each MiB of a body extends the limit by a second.
    ///   - idleTimeout: The time limit without any byte, in whole seconds.
    public init(
        _ settings: S3Settings, secret: ClientSecret, deadline: Duration = .seconds(20),
        idleTimeout: Duration = .seconds(10)
    ) {
        client = HTTPSClient(caFile: settings.caFile)
        signer = SignatureV4(keyID: settings.keyID, secret: secret.text, region: settings.region)
        let parts = settings.endpoint.text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let place = parts[1...].joined(separator: "/")
        host = String(place.prefix { $0 != "/" })
        base = "\(parts[0])//\(host)"
        var path = String(place.dropFirst(host.count))
        while path.hasSuffix("/") { path.removeLast() }
        bucketPath = "\(path)/\(settings.bucket)"
        self.deadline = deadline
        self.idleTimeout = idleTimeout
    }

    /// Stores an object, or replaces it. The last part is sent only after `fill` has returned, so that an error in
    /// `fill` leaves no object.
    ///
    /// - Parameter fill: Appends the bytes in parts.
    /// - Throws: `S3Failure`, or an error of `fill`.
    public func put(
        _ key: String, bytes: Int, sha256: [UInt8], _ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let answer = try send(
            "PUT", key, sha256: Hex.encode(sha256), bodyBytes: bytes,
            fill: { send in
                var held: [UInt8] = []
                var count = 0
                try fill { part in
                    if !held.isEmpty { try send(held) }
                    held = part
                    count += part.count
                }
                guard count == bytes else { throw S3Failure.invalid("\(count) bytes to store instead of \(bytes)") }
                try send(held)
            })
        guard answer.status == 200 else { throw answer.failure }
    }

    /// Reads an object, or a range of it up to the end of the object, in parts.
    ///
    /// - Parameter bytes: The length of the whole object; nil if it is unknown.
    /// - Throws: `S3Failure`, or an error of `receive`.
    public func get(
        _ key: String, range: Range<Int>? = nil, bytes: Int? = nil, receive: ([UInt8]) throws -> Void
    ) throws {
        let headers = range.map { [(name: "Range", value: "bytes=\($0.lowerBound)-\($0.upperBound - 1)")] } ?? []
        var remaining = 0
        let answer = try send(
            "GET", key, headers: headers, bodyBytes: range?.count ?? bytes ?? 0,
            begin: { headers in
                let part = try S3Part(headers, bytes: bytes)
                let expected = (range ?? 0..<part.bytes).clamped(to: 0..<part.bytes)
                guard part.range == expected, part.bytes == bytes ?? part.bytes else {
                    throw S3Failure.invalid("the bytes \(part.range) of \(part.bytes) instead of \(expected)")
                }
                remaining = expected.count
            },
            receive: { part in
                remaining -= part.count
                guard remaining >= 0 else { throw S3Failure.invalid("\(-remaining) bytes too many") }
                try receive(part)
                return true
            })
        // The range begins at the end of an object of unknown length, or behind it.
        if answer.status == 416, range != nil, bytes == nil { return }
        guard [200, 206].contains(answer.status) else { throw answer.failure }
        guard remaining == 0 else { throw S3Failure.invalid("\(remaining) bytes too few") }
    }

    /// Calls a closure with each object whose key begins with a prefix, in the order of the keys.
    ///
    /// - Parameter pageSize: The number of objects in one response of the store.
    public func each(prefix: String, pageSize: Int = 1000, _ body: (S3Object) throws -> Void) throws {
        var last = ""
        while true {
            let start = last.isEmpty ? "" : "&start-after=\(Self.encode(last))"
            let query = "list-type=2&max-keys=\(pageSize)&prefix=\(Self.encode(prefix))\(start)"
            let answer = try send("GET", "", query: query)
            guard answer.status == 200 else { throw answer.failure }
            let page = try S3Object.list(String(decoding: answer.body, as: UTF8.self))
            for object in page.objects where object.key.hasPrefix(prefix) { try body(object) }
            if page.isComplete { return }
            guard let next = page.objects.last?.key, next > last else {
                throw S3Failure.invalid("a listing in disorder")
            }
            last = next
        }
    }

    /// Encodes a value of a query, as a signature needs it.
    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + Hex.encode([byte]).uppercased()
            }
        }.joined()
    }

    /// Removes an object, if it exists.
    public func remove(_ key: String) throws {
        let answer = try send("DELETE", key)
        guard [200, 204, 404].contains(answer.status), answer.code != "NoSuchBucket" else { throw answer.failure }
    }

    /// Sends a signed request and collects the body of the response.
    ///
    /// - Parameter receive: Receives a part of the body of a successful response, and returns true to leave it out.
    private func send(
        _ method: String, _ key: String, query: String = "", headers: [(name: String, value: String)] = [],
        sha256: String = S3Client.emptyHash, bodyBytes: Int = 0, begin: (HeaderFields) throws -> Void = { _ in },
        receive: ([UInt8]) throws -> Bool = { _ in false },
        fill: (_ send: @escaping ([UInt8]) throws -> Void) throws -> Void = { _ in }
    ) throws -> S3Answer {
        let path = key.isEmpty ? bucketPath : "\(bucketPath)/\(key)"
        var request = TransportRequest(method, base + path + (query.isEmpty ? "" : "?\(query)"))
        request.headers = signer.sign(
            method, path: path, query: query, headers: [("Host", host)] + headers, sha256: sha256,
            at: Timestamp(milliseconds: WallClock.milliseconds))
        request.idleTimeout = idleTimeout
        request.timeout = deadline + .seconds(bodyBytes >> 20)
        var answer = S3Answer()
        do {
            try client.exchange(
                request, uploadBytes: method == "PUT" ? bodyBytes : nil, fill: fill,
                begin: { status, headers in
                    (answer.status, answer.headers) = (status, headers)
                    if answer.isSuccess { try begin(headers) }
                },
                receive: { part in
                    if answer.isSuccess, try receive(part) { return }
                    answer.body += part
                    guard answer.body.count <= Self.textLimit else { throw S3Failure.invalid("a response too long") }
                })
        } catch let failure as TransportFailure {
            throw S3Failure.away("\(failure)")
        }
        return answer
    }
}
