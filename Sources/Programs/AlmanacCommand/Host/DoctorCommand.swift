internal import AlmanacHTTPSClient
internal import AlmanacMaintenance
internal import AlmanacPOSIX

/// `almanac doctor`
enum DoctorCommand {
    static let all = [
        Command(
            name: "doctor", summary: "Look at every part of an installation, and say what to do about what is wrong.",
            options: [
                Option(name: "--url", value: "URL", help: "what clients ask; else $ALMANAC_URL"),
                Option(
                    name: "--ca-file", value: "FILE",
                    help:
                        "the only certificate authorities that clients trust; else $ALMANAC_CA_FILE, else the system's",
                    completion: .file),
                Option(
                    name: "--socket", value: "PATH",
                    help:
                        "a Unix socket of the workers or of the events process; may be given several times; "
                        + "else those in "
                        + "/run/almanac",
                    isRepeated: true, completion: .file),
                Option(
                    name: "--nginx", value: "FILE",
                    help: "nginx's main configuration file; else /etc/nginx/nginx.conf if it is there",
                    completion: .file),
                .json,
            ] + Option.host,
            details: """
                To be run on the host, best as root. It changes nothing. It looks at the environments file, and for each
                environment at the database, the schema, the rights of both roles, \
                the clock and the identity provider; then
                at the sockets, at nginx's configuration, at the certificate, \
                and at requests through nginx to workers and events.
                The exit status is 1 when something has failed; warnings and what was skipped don't count.
                """,
            example: """
                $ almanac doctor --url https://almanac.example.com
                ok    environments file  /etc/almanac/environments.json  is valid and has production
                FAIL  schema             production                      the schema is at migration 2 and must be at 3
                      -> run: almanac migrate production
                """, run: run)
    ]

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        var url: WebAddress?
        if let text = arguments.option("--url") ?? Process.variable("ALMANAC_URL") {
            guard let address = WebAddress(text) else { throw UsageFailure("'\(text)' is not \(WebAddress.form)") }
            url = address
        }
        let named = arguments.all("--socket")
        let usualFile = "/etc/nginx/nginx.conf"
        let places = Doctor.Places(
            environmentsFile: arguments.environmentsFile, url: url,
            caFile: arguments.option("--ca-file") ?? Process.variable("ALMANAC_CA_FILE"),
            sockets: named.isEmpty ? usualSockets : named,
            nginxFile: arguments.option("--nginx") ?? ((try? File.exists(usualFile)) == true ? usualFile : nil))
        let report = FindingReport(isJSON: arguments.wantsJSON)
        try Doctor(places).examine(report.add)
        return try report.end()
    }

    private static var usualSockets: [String] {
        let folder = "/run/almanac"
        return ((try? File.names(inFolder: folder)) ?? []).filter { $0.hasSuffix(".sock") }.map { "\(folder)/\($0)" }
    }
}
