import AlmanacJSON
import AlmanacTestSupport
import Testing

/// The flags of one environment of the instance, which has none before and after a test.
final class FlagsEnvironment: Sendable {
    let live: LiveEnvironment

    init(_ name: String = "staging") throws {
        live = try LiveEnvironment(name)
        try put("{}")
    }

    deinit {
        let client = live.client()
        // What is left of a set without flags would be among the entries that other tests count.
        _ = try? client.send("PUT", live.path("flags.json"), body: Array(#"{"flags":{}}"#.utf8))
        _ = try? client.send("DELETE", live.path("config/_flags"))
    }

    /// Makes the flags exactly these.
    func put(_ flags: String, query: String = "fractional=3") throws {
        let answer = try send("PUT", "flags.json?\(query)", #"{"flags":\#(flags)}"#)
        guard answer.status == 200 else { throw InstanceFailure(description: answer.text) }
    }

    /// The newest release.
    func revision() throws -> Int64? { try send("GET", "flags.json").revision }

    func send(_ method: String, _ path: String, _ body: String? = nil) throws -> HTTPResponse {
        try live.client().send(method, live.path(path), body: body.map { Array($0.utf8) })
    }

    /// What all flags are for a context, or one of them.
    func evaluate(_ body: [UInt8], flag: String? = nil, client: HTTPClient? = nil) throws -> HTTPResponse {
        try (client ?? live.client()).send(
            "POST", live.path("ofrep/v1/evaluate/flags") + (flag.map { "/\($0)" } ?? ""), body: body)
    }

    func evaluate(_ context: String, flag: String? = nil) throws -> HTTPResponse {
        try evaluate(Array(#"{"context":\#(context)}"#.utf8), flag: flag)
    }

    /// A flag of two variants, `on` and `off`.
    static func flag(_ rule: String, also: String = "") -> String {
        #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(rule)\#(also)}"#
    }

    /// A flag that is on for `{"plan":"pro"}`.
    static let sound = flag(#"{"if":[{"==":[{"var":"plan"},"pro"]},"on","off"]}"#)
}

extension HTTPResponse {
    /// The flags of a bulk evaluation: the variant or the error code of each.
    func outcomes() throws -> [String: String] {
        var found: [String: String] = [:]
        for flag in try json().objectValue?["flags"]?.arrayValue ?? [] {
            guard let flag = flag.objectValue, let key = flag["key"]?.stringValue else { continue }
            found[key] = flag["errorCode"]?.stringValue ?? flag["variant"]?.stringValue
        }
        return found
    }

    /// The error code of a refusal in OFREP's form; nil where it isn't one.
    var errorCode: String? {
        guard header("Content-Type")?.hasPrefix("application/") == true, let document = try? json().objectValue,
            document["errorDetails"]?.stringValue?.isEmpty == false
        else { return nil }
        return document["errorCode"]?.stringValue
    }
}
