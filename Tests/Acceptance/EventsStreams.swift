import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension LiveEnvironment {
    /// Opens an event stream. Without `token`, the stream is anonymous, as in most apps.
    ///
    /// - Parameter last: the `Last-Event-ID`.
    func stream(
        token: String? = nil, last: String? = nil, query: String = "", headers: [(String, String)] = [],
        options: [String] = []
    ) throws -> EventStream {
        var headers = headers
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if let last { headers.append(("Last-Event-ID", last)) }
        return try EventStream(
            instance.url + path("events\(query)"), caFile: instance.caFile, headers: headers, options: options)
    }

    /// Opens a stream to a process that has read the newest release, and returns that release's event id.
    func settledStream() throws -> (stream: EventStream, lastEventID: String) {
        let stream = try stream()
        guard try stream.next("hello") != nil else { throw InstanceFailure(description: "no hello: \(stream.text)") }
        let value = JSONValue.number(JSONNumber(Int64.random(in: 0...1_000_000_000)))
        let revision = try client().put(path("config/settled"), value).revision
        while let event = try stream.next("refetchEvaluation") {
            if event.number("revision") == revision, let id = event.id { return (stream, id) }
        }
        throw InstanceFailure(description: "no event of release \(revision ?? -1)")
    }

    func almanac(_ command: String, _ action: String, _ arguments: String...) throws -> String {
        let outcome = try Command.run(
            instance.path("bin/almanac"),
            [command, action, name] + arguments + ["--environments", instance.path("environments.json")],
            within: .seconds(20))
        guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        return outcome.output.trimmingLines
    }
}

extension NotesUser {
    func stream(last: String? = nil, query: String = "") throws -> EventStream {
        try LiveEnvironment(environment).stream(token: token, last: last, query: query)
    }
}

extension String {
    fileprivate var trimmingLines: String { String(reversed().drop(while: \.isNewline).reversed()) }
}

extension NotesUser {
    /// Returns a token that expires in the given seconds. The command line grants at least a minute.
    func token(expiringIn seconds: Int64) throws -> String {
        let parts = token.split(separator: ".").map(String.init)
        let padding = String(repeating: "=", count: (4 - parts[1].utf8.count % 4) % 4)
        let text = parts[1].replacing("-", with: "+").replacing("_", with: "/") + padding
        let claims = try JSONValue(parsing: Command.run("base64", ["-d"], input: Array(text.utf8)).outputBytes)
        let end = WallClock.milliseconds / 1000 + seconds
        let changed = try #require(claims.objectValue).setting("exp", .number(JSONNumber(end)))
        let signed = try parts[0] + "." + Self.base64url(Array("\(JSONValue.object(changed))".utf8))
        let key = try OpenSSLKey(pem: File.read(instance.path("development-development.key")))
        return try signed + "." + Self.base64url(key.sign(Array(signed.utf8), "EdDSA"))
    }

    private static func base64url(_ bytes: [UInt8]) throws -> String {
        try Command.run("base64", ["-w0"], input: bytes).output.filter { $0 != "=" }
            .replacing("+", with: "-").replacing("/", with: "_")
    }
}
