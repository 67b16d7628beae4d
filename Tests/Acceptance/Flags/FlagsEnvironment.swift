import AlmanacJSON
import AlmanacTestSupport
import Testing

/// The flags of one environment of the instance. The environment has no flags before and after a test.
final class FlagsEnvironment: Sendable {
    let live: LiveEnvironment

    init(_ name: String = "staging") throws {
        live = try LiveEnvironment(name)
        try put("{}")
        try retireOlderMajors()
    }

    /// Retires the majors of earlier tests, because the time of a release grows with the majors that builds can pin.
    private func retireOlderMajors() throws {
        for major in try send("GET", "majors").json().arrayValue ?? [] {
            guard let major = major.objectValue, major["current"]?.boolValue == false, major["retired_at"] == .null,
                let number = major["major"]?.numberValue?.int64
            else { continue }
            try #require(send("DELETE", "majors/\(number)").status == 200)
        }
    }

    deinit {
        let client = live.client()
        // Delete the key of the set as well, because other tests count the entries.
        _ = try? client.send("PUT", live.path("flags.json"), body: Array(#"{"flags":{}}"#.utf8))
        _ = try? client.send("DELETE", live.path("config/_flags"))
    }

    func put(_ flags: String, query: String = "fractional=3") throws {
        let answer = try send("PUT", "flags.json?\(query)", #"{"flags":\#(flags)}"#)
        guard answer.status == 200 else { throw InstanceFailure(description: answer.text) }
    }

    func revision() throws -> Int64? { try send("GET", "flags.json").revision }

    func send(_ method: String, _ path: String, _ body: String? = nil) throws -> HTTPResponse {
        try live.client().send(method, live.path(path), body: body.map { Array($0.utf8) })
    }

    /// Evaluates all flags, or one flag, with a request body.
    func evaluate(_ body: [UInt8], flag: String? = nil, client: HTTPClient? = nil) throws -> HTTPResponse {
        try (client ?? live.client()).send(
            "POST", live.path("ofrep/v1/evaluate/flags") + (flag.map { "/\($0)" } ?? ""), body: body)
    }

    func evaluate(_ context: String, flag: String? = nil) throws -> HTTPResponse {
        try evaluate(Array(#"{"context":\#(context)}"#.utf8), flag: flag)
    }

    static func flag(_ rule: String, also: String = "") -> String {
        #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(rule)\#(also)}"#
    }

    /// A flag that is on for `{"plan":"pro"}`.
    static let sound = flag(#"{"if":[{"==":[{"var":"plan"},"pro"]},"on","off"]}"#)
}

extension HTTPResponse {
    /// Returns the variant or the error code of each flag in a bulk evaluation.
    func outcomes() throws -> [String: String] {
        var found: [String: String] = [:]
        for flag in try json().objectValue?["flags"]?.arrayValue ?? [] {
            guard let flag = flag.objectValue, let key = flag["key"]?.stringValue else { continue }
            found[key] = flag["errorCode"]?.stringValue ?? flag["variant"]?.stringValue
        }
        return found
    }

    /// The error code of an OFREP error, or nil if the response is not an OFREP error.
    var errorCode: String? {
        guard header("Content-Type")?.hasPrefix("application/") == true, let document = try? json().objectValue,
            document["errorDetails"]?.stringValue?.isEmpty == false
        else { return nil }
        return document["errorCode"]?.stringValue
    }
}
