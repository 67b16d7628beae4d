import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTPSClient
import AlmanacTestSupport
import Testing

@testable import AlmanacObjectStore

/// Tests of the client with real servers. Each test has its own prefix of keys.
@Suite(.blocking, .s3Servers) struct S3ClientTests {
    private struct Stop: Error {}

    private func client(
        _ program: S3Server.Program, bucket: String = S3Server.bucket, secret: String = S3Server.secret
    ) throws -> S3Client {
        try S3Client(testing: S3Servers.endpoint(of: program), bucket: bucket, secret: secret)
    }

    /// Bytes whose value tells their position.
    private static let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private let bytes = Self.content

    private func put(_ bytes: [UInt8], as key: String, _ client: S3Client) throws {
        try client.put(key, bytes: bytes.count, sha256: SHA256.digest(bytes)) { append in
            for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
                try append(Array(bytes[start..<min(start + 1 << 20, bytes.count)]))
            }
        }
    }

    private func get(_ key: String, _ range: Range<Int>?, _ client: S3Client) throws -> [UInt8] {
        var received: [UInt8] = []
        try client.get(key, range: range) { received += $0 }
        return received
    }

    @Test(arguments: S3Server.Program.allCases)
    func `an object is stored, read and removed`(program: S3Server.Program) throws {
        let client = try client(program)
        #expect(throws: S3Failure.missing) { try get("one/object", nil, client) }
        // A second write replaces the first.
        try put(Array(bytes.dropFirst()), as: "one/object", client)
        try put(bytes, as: "one/object", client)
        #expect(try get("one/object", nil, client) == bytes)
        for range in [0..<1, 1_000_000..<1_400_001, bytes.count - 1..<bytes.count, 0..<bytes.count] {
            #expect(try get("one/object", range, client) == Array(bytes[range]))
        }
        // A range ends with the object.
        #expect(try get("one/object", bytes.count - 3..<bytes.count + 5, client) == Array(bytes.suffix(3)))
        #expect(try get("one/object", bytes.count..<bytes.count + 5, client) == [])
        try client.remove("one/object")
        try client.remove("one/object")
        #expect(throws: S3Failure.missing) { try get("one/object", nil, client) }
    }

    @Test(arguments: S3Server.Program.allCases)
    func `a write that fails leaves no object`(program: S3Server.Program) throws {
        let client = try client(program)
        #expect(throws: Stop.self) {
            try client.put("failed/fill", bytes: 2_000_000, sha256: SHA256.digest([])) { append in
                try append([UInt8](repeating: 65, count: 1_000_000))
                try append([UInt8](repeating: 65, count: 1_000_000))
                throw Stop()
            }
        }
        #expect(throws: S3Failure.invalid("3 bytes to store instead of 4")) {
            try client.put("failed/short", bytes: 4, sha256: SHA256.digest([1, 2, 3])) { try $0([1, 2, 3]) }
        }
        try client.each(prefix: "failed/") { Issue.record("stored: \($0.key)") }
    }

    @Test(arguments: S3Server.Program.allCases)
    func `a listing comes page by page`(program: S3Server.Program) throws {
        let client = try client(program)
        for name in ["a", "b", "c/d", "e", "f"] { try put(Array(name.utf8), as: "listed/\(name)", client) }
        for pageSize in [1, 2, 5, 1000] {
            var found: [String] = []
            try client.each(prefix: "listed/", pageSize: pageSize) { found.append("\($0.key) \($0.bytes)") }
            #expect(found == ["listed/a 1", "listed/b 1", "listed/c/d 3", "listed/e 1", "listed/f 1"])
        }
        try client.each(prefix: "nothing/") { Issue.record("listed: \($0.key)") }
    }

    @Test func `another secret is refused, and no bucket is told from no object`() throws {
        let stranger = try client(.rclone, secret: "another")
        #expect(throws: S3Failure.refused("403 SignatureDoesNotMatch")) { try get("x", nil, stranger) }
        #expect(throws: S3Failure.refused("403 SignatureDoesNotMatch")) { try put(bytes, as: "x", stranger) }
        for program in S3Server.Program.allCases {
            let client = try client(program, bucket: "no-such-bucket")
            #expect(throws: S3Failure.refused("404 NoSuchBucket")) { try put([1], as: "x", client) }
            #expect(throws: S3Failure.refused("404 NoSuchBucket")) { try get("x", nil, client) }
        }
    }
}

extension S3Client {
    /// Creates a client of a test server, with short deadlines if given.
    init(
        testing endpoint: String, bucket: String = S3Server.bucket, secret: String = S3Server.secret,
        deadline: Duration = .seconds(20)
    ) throws {
        let settings = S3Settings(
            endpoint: try #require(WebAddress(endpoint)), region: "us-east-1", bucket: bucket, keyID: S3Server.keyID,
            secretFile: "", secret: nil)
        self.init(settings, secret: ClientSecret(text: secret), deadline: deadline)
    }
}
