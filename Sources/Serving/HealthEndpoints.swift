internal import Environments
internal import HTTP
internal import JSON

/// The calls under `/-/`, for supervisors on the host itself.
enum HealthEndpoints {
    static func respond<Service>(
        to request: Request, _ registry: Registry<Service>, _ observation: Observation
    ) throws(Problem) -> Response {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Problem(.methodNotAllowed, "this path takes GET, HEAD", headers: [("Allow", "GET, HEAD")])
        }
        switch request.target.segments {
        case ["-", "live"]: return answer(200) { $0.name("live"); $0.boolean(true) }
        case ["-", "ready"]: return ready(registry)
        case ["-", "metrics"]: return observation.page(of: registry.all)
        default: throw Problem(.notFound, "expected /-/live, /-/ready or /-/metrics")
        }
    }

    /// What a path is called in metrics; nil for one that is none of these calls.
    static func pattern(of path: [String]) -> String? {
        ["/-/live", "/-/ready", "/-/metrics"].first { $0 == "/" + path.joined(separator: "/") }
    }

    /// 200 when every environment can be read and written, else 503; either way with the state of each.
    private static func ready<Service>(_ registry: Registry<Service>) -> Response {
        let environments = registry.all.sorted { $0.settings.name.text < $1.settings.name.text }
        let isReady = environments.allSatisfy { !$0.state.isStale }
        return answer(isReady ? 200 : 503) { writer in
            writer.name("ready")
            writer.boolean(isReady)
            writer.name("environments")
            writer.beginObject()
            for environment in environments {
                let state = environment.state
                writer.name(environment.settings.name.text)
                writer.beginObject()
                writer.name("ready")
                writer.boolean(!state.isStale)
                writer.name("revision")
                writer.integer(state.revision)
                writer.endObject()
            }
            writer.endObject()
        }
    }

    private static func answer(_ status: Int, _ members: (inout JSONWriter) -> Void) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        var response = Response(status: status, body: writer.bytes)
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
