import AlmanacClientRuntime
import Foundation

/// The environment under test, accessed without Almanac's client libraries.
struct Service: Sendable {
    let environment: String
    /// An API token and a user's token.
    let tokens: (operator: String, user: String)
    private let transport = AlmanacHTTPTransport()

    /// - Parameter path: the path below the environment, for example `config?since=0`.
    func send(
        _ method: String, _ path: String, user: Bool = false, _ body: String? = nil
    ) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        var request = TransportRequest(method, "\(environment)/\(path)", body: body.map { Array($0.utf8) })
        request.headers = [(name: "Authorization", value: "Bearer \(user ? tokens.user : tokens.operator)")]
        if body != nil { request.headers.append((name: "Content-Type", value: "application/json")) }
        request.timeout = .seconds(10)
        request.byteLimit = 32 << 20
        return try await transport.send(request)
    }

    /// Returns a JSON object that the environment must have.
    func read(_ path: String, user: Bool = false) async throws -> [String: Any] {
        let response = try await send("GET", path, user: user)
        guard response.status == 200, let object = try response.json as? [String: Any] else {
            throw UnexpectedResult("GET \(path): \(response.text)")
        }
        return object
    }

    func history(of key: String) async throws -> Set<Int> {
        var values: Set<Int> = []
        var query = "limit=1000"
        while true {
            let page = try await send("GET", "config/\(key)/history?\(query)")
            guard page.status == 200, let releases = try page.json as? [[String: Any]] else {
                throw UnexpectedResult(page.text)
            }
            values.formUnion(releases.compactMap { $0["value"] as? Int })
            guard releases.count == 1000, let last = releases.last?["revision"] as? Int else { return values }
            query = "limit=1000&before=\(last)"
        }
    }

    /// Returns the texts of all notes by id, and the cursor.
    func notes() async throws -> (texts: [String: String], cursor: String) {
        var texts: [String: String] = [:]
        var query = "limit=500"
        while true {
            let page = try await read("notes?\(query)", user: true)
            for (id, note) in page["details"] as? [String: [String: Any]] ?? [:] {
                texts[id] = "\(note["title"] ?? "")\n\(note["body"] ?? "")"
            }
            guard let next = page["next"] as? String else { return (texts, page["cursor"] as? String ?? "") }
            query = "next=\(next)"
        }
    }
}

struct UnexpectedResult: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension TransportResponse<[UInt8]> {
    var text: String { "\(status) " + String(decoding: body.prefix(300), as: UTF8.self) }
    var json: Any { get throws { try JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) } }
    var revision: Int { headers["Almanac-Revision"].flatMap { Int($0) } ?? 0 }
}
