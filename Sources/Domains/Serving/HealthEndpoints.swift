internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// The calls under `/-/`, for supervisors on the host itself.
enum HealthEndpoints {
    static func respond<Service>(
        to request: Request, _ registry: Registry<Service>, _ observation: Observation
    ) throws(Problem) -> Response {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Problem(.methodNotAllowed, "this path takes GET, HEAD", headers: [("Allow", "GET, HEAD")])
        }
        switch request.target.segments {
        case ["-", "live"]:
            return answer(200) {
                $0.name("live"); $0.boolean(true)
            }
        case ["-", "ready"]: return ready(registry)
        case ["-", "metrics"]: return observation.page(of: registry.all)
        default: throw Problem(.notFound, "expected /-/live, /-/ready or /-/metrics")
        }
    }

    /// What a path is called in metrics; nil for one that is none of these calls.
    static func pattern(of path: [String]) -> String? {
        ["/-/live", "/-/ready", "/-/metrics"].first { $0 == "/" + path.joined(separator: "/") }
    }

    /// 200 when every environment can be read and written, else 503; either way with the state of each, and why it is so.
    private static func ready<Service>(_ registry: Registry<Service>) -> Response {
        let environments = registry.all.sorted { $0.settings.name.text < $1.settings.name.text }
            .map { (name: $0.settings.name.text, revision: $0.state.revision, reason: reason($0)) }
        let isReady = environments.allSatisfy { $0.reason == nil }
        return answer(isReady ? 200 : 503) { writer in
            writer.name("ready")
            writer.boolean(isReady)
            writer.name("environments")
            writer.beginObject()
            for environment in environments {
                writer.name(environment.name)
                writer.beginObject()
                writer.name("ready")
                writer.boolean(environment.reason == nil)
                writer.name("revision")
                writer.integer(environment.revision)
                if let reason = environment.reason {
                    writer.name("reason")
                    writer.string(reason)
                }
                writer.endObject()
            }
            writer.endObject()
        }
    }

    /// Why an environment is not ready; nil when it is. The log has the facts that are not for everyone on the host.
    private static func reason(_ environment: some EnvironmentService) -> String? {
        if environment.state.isStale { return "the database is away or cannot be read; the log tells more" }
        return environment.trouble
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
