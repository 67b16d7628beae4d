internal import AlmanacWebhooks

extension EnvironmentsFile {
    /// Reads the member `hooks`, which allows hooks more than public addresses over HTTPS.
    static func hooks(_ section: Section) throws(EnvironmentsFailure) -> ReachableAddresses {
        guard let hooks = try section.section("hooks") else { return .publicOnly }
        try hooks.allow("allow", "http", "ports")
        let allowed = try hooks.strings("allow")
        let http = try hooks.boolean("http") ?? false
        let ports = try hooks.integers("ports")
        do throws(HookFault) {
            return try ReachableAddresses(allow: allowed, http: http, ports: ports)
        } catch { throw hooks.failure("\(error)") }
    }
}
