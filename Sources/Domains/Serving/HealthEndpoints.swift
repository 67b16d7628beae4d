internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// The calls under `/-/`, for supervisors on the host itself. Load balancers elsewhere may also call `/-/healthy`,
/// which only shows that the process answers. If the call reported an unreachable database, load balancers would drop
/// all hosts at once, although each still has the config.
enum HealthEndpoints {
    static func respond<Service>(
        to request: Request, _ registry: Registry<Service>, _ observation: Observation
    ) throws(Problem) -> Response {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Problem(.methodNotAllowed, "this path allows GET, HEAD", headers: [("Allow", "GET, HEAD")])
        }
        switch request.target.segments {
        case ["-", "live"]: return live
        case ["-", "healthy"]: return live
        case ["-", "ready"]: return ready(registry)
        case ["-", "metrics"]: return observation.page(of: registry.all, pending: registry.pending.map(\.name))
        default: throw Problem(.notFound, "expected /-/live, /-/healthy, /-/ready or /-/metrics")
        }
    }

    private static var live: Response { response(200) { $0.member("live", true) } }

    /// Returns the pattern of a path for metrics, or nil for another path.
    static func pattern(of path: [String]) -> String? {
        ["/-/live", "/-/healthy", "/-/ready", "/-/metrics"].first { $0 == "/" + path.joined(separator: "/") }
    }

    /// Returns 200 if every environment can be read and written, else 503, with a state and reason for each.
    private static func ready<Service>(_ registry: Registry<Service>) -> Response {
        let running = registry.all.map {
            (name: $0.settings.name.text, revision: $0.state.revision as Int64?, reason: reason($0))
        }
        let pending = registry.pending.map { (name: $0.name, revision: nil as Int64?, reason: $0.reason as String?) }
        let environments = (running + pending).sorted { $0.name < $1.name }
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

    /// Returns the reason why an environment is not ready, or nil. Facts not for everyone on the host are only logged.
    private static func reason(_ environment: some EnvironmentService) -> String? {
        // A schema that is too old makes the config unreadable too, so its reason comes first.
        environment.schemaFailure ?? (environment.state.isStale ? StartFailure.publicReason : nil)
    }

    private static func response(_ status: Int, _ members: (inout JSONWriter) -> Void) -> Response {
        var response = Response(status: status, body: JSONWriter.object(members))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
