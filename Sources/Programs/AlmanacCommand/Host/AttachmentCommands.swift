internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacNotesDomain
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The command `almanac attachments clean`.
enum AttachmentCommands {
    private static let now = "--now"

    static let all = [
        Command(
            name: "attachments clean", summary: "Remove unused attachments and files at once.",
            operands: [.environment],
            options: [
                Option(
                    name: now, value: "TIME",
                    help: "the time of the pass, such as 2026-12-24T09:00:00Z; only with a development issuer"), .json,
            ] + Option.host,
            details: """
                Workers do this every hour. An attachment is unused when no note, no note in the trash and no kept
                past text names it. It is removed for good after 'attachment_unused_days' (30) of the environment's
                limits. Then the bytes that no attachment names are removed, uploads that have received nothing for a
                day, and files without a row that are older than a day. Run it on a host that has the folder of the
                attachments, as root or as the workers' user.
                """,
            example: """
                $ almanac attachments clean production
                production: 2 attachments, 1 upload, 2 blobs and 0 files without a row were removed
                """, run: clean)
    ]

    private static func clean(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let time = try time(arguments, in: environment)
        let report = try AttachmentCleaning.run(environment, on: try environment.connectAsOwner(), at: time)
        if arguments.wantsJSON {
            try Output.json([
                "environment": .string(environment.name.text),
                "attachments": .number(JSONNumber(report.attachments)),
                "uploads": .number(JSONNumber(report.uploads)), "blobs": .number(JSONNumber(report.blobs)),
                "orphans": .number(JSONNumber(report.orphans)),
            ])
        } else {
            try Process.output(
                "\(environment.name): \(count(report.attachments, "attachment")), \(count(report.uploads, "upload")), "
                    + "\(count(report.blobs, "blob")) and \(count(report.orphans, "file")) without a row were removed\n"
            )
        }
        return .success
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns the time of the option; nil for the present.
    private static func time(_ arguments: Arguments, in environment: EnvironmentSettings) throws -> Timestamp? {
        guard let text = arguments.option(now) else { return nil }
        guard case .development = environment.identity else {
            throw UsageFailure("\(now) is only for an environment with a development issuer; leave it out")
        }
        guard let time = Timestamp(text) else {
            throw UsageFailure("'\(text)' is not a time; expected a form such as 2026-12-24T09:00:00Z")
        }
        return time
    }
}
