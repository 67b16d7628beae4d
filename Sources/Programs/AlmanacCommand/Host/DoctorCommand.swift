internal import AlmanacHTTPSClient
internal import AlmanacMaintenance
internal import AlmanacPOSIX

/// The command `almanac doctor`.
enum DoctorCommand {
    static let all = [
        Command(
            name: "doctor", summary: "Check every part of an installation, and suggest a fix for each problem.",
            options: [
                Option(
                    name: "--url", value: "URL",
                    help: "the address for clients; default: $ALMANAC_URL, then that of the instance of deploy/run"),
                Option(
                    name: "--ca-file", value: "FILE",
                    help:
                        "the certificate authorities that clients trust; default: $ALMANAC_CA_FILE, then the system's",
                    completion: .file),
                Option(
                    name: "--socket", value: "PATH",
                    help: "a Unix socket of the workers or of the events process; may be repeated; "
                        + "default: the sockets of the instance of deploy/run that the environments file belongs to, "
                        + "then those in /run/almanac", isRepeated: true, completion: .file),
                Option(
                    name: "--nginx", value: "FILE",
                    help: "nginx's main configuration file; default: the instance's, then /etc/nginx/nginx.conf",
                    completion: .file),
                Option(
                    name: "--attachments",
                    help: "also read all attachments and compare their bytes with their hashes"), .json,
            ] + Option.host,
            details: """
                Run it on the host, preferably as root. It changes nothing. It checks the environments file, the
                files that the programs' users can read, the disks, the rotation of logs and the clock. For each
                environment, it checks the database, the schema, the rights of both roles, replication, PostgreSQL's
                connections, the WAL that replication slots keep, the newest backup, the clock and the identity
                provider. The disk of PostgreSQL on another host can't be checked. Then it checks the sockets,
                nginx's configuration, the certificate, and requests through nginx to workers and events. At the end
                it lists the skipped checks. With --attachments, it names up to 20 hashes of attachments whose bytes
                are missing or wrong.
                The exit status is 1 if a check failed; warnings and skipped checks do not count.
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
        let instance = LocalInstance(arguments.environmentsFile)
        let authority = arguments.option("--ca-file") ?? Process.variable("ALMANAC_CA_FILE")
        let places = Doctor.Targets(
            environmentsFile: arguments.environmentsFile, url: url ?? instance?.url,
            caFile: authority ?? (url == nil ? instance?.caFile : nil),
            sockets: named.isEmpty ? instance?.sockets ?? defaultSockets : named,
            nginxFile: arguments.option("--nginx") ?? instance?.nginxFile ?? existing(["/etc/nginx/nginx.conf"]).first,
            folders: instance?.folders
                ?? existing(["/", "/etc/almanac", "/var/lib/postgresql", "/var/lib/nginx", "/var/log", "/var/backups"]),
            // deploy/run rotates the logs of its instance itself.
            logFolders: instance == nil ? existing(["/var/log/nginx", "/var/log/postgresql"]) : [],
            readsAttachments: arguments.has("--attachments"))
        let report = FindingReport(isJSON: arguments.wantsJSON)
        try Doctor(places).examine(report.add)
        return try report.end()
    }

    private static var defaultSockets: [String] { sockets(in: "/run/almanac") }

    fileprivate static func sockets(in folder: String) -> [String] {
        ((try? File.names(inFolder: folder)) ?? []).filter { $0.hasSuffix(".sock") }.map { "\(folder)/\($0)" }
    }

    fileprivate static func existing(_ paths: [String]) -> [String] { paths.filter { (try? File.exists($0)) == true } }
}

/// An instance of `deploy/run`, found by its files.
private struct LocalInstance {
    let url: WebAddress?
    let caFile: String?
    let sockets: [String]
    let nginxFile: String
    let folders: [String]

    /// - Parameter environmentsFile: the environments file of the instance; nil if the file is no instance's.
    init?(_ environmentsFile: String) {
        let parts = environmentsFile.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/")
        func line(_ file: String) -> String? {
            (try? File.read("\(folder)/run/\(file)", limit: 4096)).map {
                String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
            }
        }
        nginxFile = "\(folder)/nginx/nginx.conf"
        guard (try? File.exists(nginxFile)) == true, let port = line("port") else { return nil }
        url = WebAddress("https://localhost:\(port)")
        caFile = DoctorCommand.existing(["\(folder)/tls/ca.pem"]).first
        sockets = DoctorCommand.sockets(in: line("sockets-elsewhere") ?? "\(folder)/run/sockets")
        folders = DoctorCommand.existing([folder, "\(folder)/postgres/data", "\(folder)/log"])
    }
}
