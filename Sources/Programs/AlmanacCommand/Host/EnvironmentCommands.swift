internal import AlmanacEnvironments
internal import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The commands that begin with `almanac environment`.
enum EnvironmentCommands {
    static let all = [
        Command(
            name: "environment list", summary: "List the environments of the environments file.",
            options: [.json] + Option.host,
            details:
                "Shows each database, who may read the config, and the issuer of users' tokens, without passwords.",
            example: """
                $ almanac environment list
                production  host=/run/postgresql dbname=almanac_production  public  https://login.example.com/
                """, run: list),
        Command(
            name: "environment check",
            summary: "Check the environments file, and its databases and identity providers.",
            options: [.json] + Option.host,
            details: """
                Run it before workers reload a changed file. The exit status is 1 if a check failed. 'almanac
                doctor' checks more.
                """,
            example:
                "$ almanac environment check --environments new.json && mv new.json /etc/almanac/environments.json",
            run: check), EnvironmentChanging.add, EnvironmentChanging.remove,
    ]

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let rows = try arguments.environments().map { environment in
            [
                environment.name.text, environment.database.place, environment.configRead.rawValue,
                identity(environment.identity),
            ]
        }
        if arguments.wantsJSON {
            try Output.json(
                rows.map { row in
                    JSONObject(zip(["name", "database", "config_read", "identity"], row).map { ($0, .string($1)) })
                })
        } else {
            try Process.output(TextTable.text(rows))
        }
        return .success
    }

    private static func check(_ arguments: Arguments) throws -> ExitStatus {
        let report = FindingReport(isJSON: arguments.wantsJSON)
        try Doctor.environments(arguments.environmentsFile, report.add)
        return try report.end()
    }

    private static func identity(_ settings: IdentitySettings?) -> String {
        switch settings {
        case nil: "none"
        case .development: "development"
        case .provider(let issuer, _, _): issuer.text
        }
    }
}
