import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

/// The tests against a running instance. They are serialized because they share environments, and some stop services.
@Suite(.serialized) enum Live {}

/// An environment of the running instance, over HTTPS through nginx.
struct LiveEnvironment: Sendable {
    let instance: Instance
    let name: String
    let token: String

    init(_ name: String) throws {
        instance = try Instance.current()
        self.name = name
        token = try instance.token(name)
    }

    /// Returns a client with the environment's token. Each thread needs its own client.
    func client() -> HTTPClient { instance.client(token: token) }

    func path(_ rest: String) -> String { "/\(name)/\(rest)" }

    /// Makes one release that leaves exactly the given entries.
    @discardableResult
    func reset(to config: JSONValue = [:]) throws -> HTTPResponse {
        let client = client()
        let entries = try #require(config.objectValue)
        // This format includes flags.
        let present = try #require(client.send("GET", path("config")).json().arrayValue).compactMap {
            $0.objectValue?["key"]?.stringValue
        }
        var members = present.map { (name: $0, value: JSONValue.null) }.filter { entries[$0.name] == nil }
        members += entries.members
        return try client.patch(path("config"), .object(JSONObject(members)))
    }
}

extension Instance {
    /// Connects to the database of an environment as the cluster's superuser.
    func database(of environment: String) throws -> Connection {
        let file = try JSONValue(parsing: File.read(path("environments.json"))).objectValue
        let words = file?[environment]?.objectValue?["database"]?.stringValue?.split(separator: " ") ?? []
        let name = try #require(words.first { $0.hasPrefix("dbname=") })
        return try Connection(ConnectionSettings(conninfo: "\(TestCluster.conninfo) \(name)"))
    }
}

extension HTTPClient {
    func put(_ path: String, _ value: JSONValue, headers: [(String, String)] = []) throws -> HTTPResponse {
        try send("PUT", path, headers: headers, json: .object(JSONObject([("value", value)])))
    }

    func patch(_ path: String, _ patch: JSONValue, headers: [(String, String)] = []) throws -> HTTPResponse {
        let type = [("Content-Type", "application/merge-patch+json")]
        return try send("PATCH", path, headers: type + headers, body: patch.serialized())
    }
}

extension HTTPResponse {
    var revision: Int64? { header("Almanac-Revision").flatMap { Int64($0) } }
    var version: String? { header("Almanac-Version") }

    /// The problem's type without its prefix, or nil if the response is no problem document.
    var problem: String? {
        guard header("Content-Type") == "application/problem+json", let document = try? json().objectValue,
            document["status"]?.numberValue?.int64 == Int64(status), document["detail"]?.stringValue?.isEmpty == false,
            let type = document["type"]?.stringValue, type.hasPrefix("urn:almanac:problem:")
        else { return nil }
        return String(type.dropFirst("urn:almanac:problem:".count))
    }

    /// Returns the elements of an array response by key. The value of a tombstone is nil.
    func entries() throws -> [(key: String, value: JSONValue?, updatedAt: String)] {
        try (json().arrayValue ?? []).compactMap { entry in
            guard let object = entry.objectValue, let key = object["key"]?.stringValue,
                let time = object["updated_at"]?.stringValue
            else { return nil }
            return (key, object["value"], time)
        }
    }
}
