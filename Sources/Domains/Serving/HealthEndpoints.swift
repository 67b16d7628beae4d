internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// The calls under `/-/`, for supervisors on the host itself; `/-/healthy` for load balancers elsewhere too, so it
/// tells nothing but that this process answers. That a database is away would let them give up every host at once, each
/// of which still has the config.
enum HealthEndpoints {
    static func respond<Service>(
        to request: Request, _ registry: Registry<Service>, _ observation: Observation
    ) throws(Problem) -> Response {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Problem(.methodNotAllowed, "this path takes GET, HEAD", headers: [("Allow", "GET, HEAD")])
        }
        switch request.target.segments {
        case ["-", "live"]: return live
        case ["-", "healthy"]: return live
        case ["-", "ready"]: return ready(registry)
        case ["-", "metrics"]: return observation.page(of: registry.all, awaited: registry.awaited.map(\.name))
        default: throw Problem(.notFound, "expected /-/live, /-/healthy, /-/ready or /-/metrics")
        }
    }

    private static var live: Response { response(200) { $0.member("live", true) } }

    /// The pattern of a path for metrics; nil for one that is none of these calls.
    static func pattern(of path: [String]) -> String? {
        ["/-/live", "/-/healthy", "/-/ready", "/-/metrics"].first { $0 == "/" + path.joined(separator: "/") }
    }

    /// 200 when every environment can be read and written, else 503; either way with the state of each, and why it is
    /// so.
    private static func ready<Service>(_ registry: Registry<Service>) -> Response {
        let running = registry.all.map {
            (name: $0.settings.name.text, revision: $0.state.revision as Int64?, reason: reason($0))
        }
        let awaited = registry.awaited.map { (name: $0.name, revision: nil as Int64?, reason: $0.reason as String?) }
        let environments = (running + awaited).sorted { $0.name < $1.name }
        let isReady = environments.allSatisfy { $0.reason == nil }
        return response(isReady ? 200 : 503) { writer in
            writer.member("ready", isReady)
            writer.member(
                "environments",
                object: { writer in
                    for environment in environments {
                        writer.member(
                            environment.name,
                            object: { writer in
                                writer.member("ready", environment.reason == nil)
                                if let revision = environment.revision { writer.member("revision", revision) }
                                if let reason = environment.reason { writer.member("reason", reason) }
                            })
                    }
                })
        }
    }

    /// Why an environment is not ready; nil when it is. The log has the facts that are not for everyone on the host.
    private static func reason(_ environment: some EnvironmentService) -> String? {
        // Of a schema that is too old, the config cannot be read either.
        environment.schemaFailure ?? (environment.state.isStale ? StartFailure.publicReason : nil)
    }

    private static func response(_ status: Int, _ members: (inout JSONWriter) -> Void) -> Response {
        var response = Response(status: status, body: JSONWriter.object(members))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
