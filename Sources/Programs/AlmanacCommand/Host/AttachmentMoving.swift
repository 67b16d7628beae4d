internal import AlmanacAttachments
internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac attachments move`.
enum AttachmentMoving {
    private static let target = "--to"

    static let all = [
        Command(
            name: "attachments move", summary: "Move the bytes of all attachments to another store.",
            operands: [.environment],
            options: [
                Option(name: target, value: "STORE", help: "folder, or s3: the bucket in the environments file"), .json,
            ] + Option.host,
            details: """
                Workers go on meanwhile: each file is copied, compared with its hash, and only then read from the new
                store. Old copies are removed at the end. Another run continues after an interruption. Set 'store' in
                'attachments' of the environments file first, so that new files go to the new store too. The settings
                of the other store must stay until the end. Run it on a host that has the folder of the attachments, as
                root or as the workers' user. It exits with 1 if a file is missing or has other bytes, and leaves
                such files.
                """,
            example: """
                $ almanac attachments move production --to s3
                production: 2 files (301 KiB) were moved to s3, and 2 old copies were removed
                """, run: move)
    ]

    private static func move(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        guard let name = arguments.option(target), AttachmentSettings.Store(rawValue: name) != nil else {
            throw UsageFailure("expected \(target) folder or \(target) s3")
        }
        let stores = BlobStores(environment)
        let report = try move(environment, stores, to: name)
        let wrong = report.wrong.prefix(maxNamed).map(\.description)
        if arguments.wantsJSON {
            try Output.json([
                "environment": .string(environment.name.text), "store": .string(name),
                "moved": .number(JSONNumber(report.moved)), "moved_bytes": .number(JSONNumber(report.movedBytes)),
                "removed": .number(JSONNumber(report.removed)), "wrong": .number(JSONNumber(report.wrong.count)),
                "wrong_hashes": .array(wrong.map { .string($0) }),
            ])
        } else {
            try Process.output(
                "\(environment.name): \(report.moved) files (\(report.movedBytes / 1024) KiB) were moved to \(name), "
                    + "and \(report.removed) old copies were removed\n")
        }
        if !wrong.isEmpty {
            Process.report(
                "\(report.wrong.count) files are missing or have other bytes, and stay: "
                    + wrong.joined(separator: ", "))
        }
        if stores.current.name != name {
            Process.report(
                "new files still go to '\(stores.current.name)'; set 'store' in 'attachments' to \"\(name)\"")
        }
        return report.wrong.isEmpty ? .success : .failed
    }

    /// The number of hashes that are named.
    private static let maxNamed = 20

    private static func move(
        _ environment: EnvironmentSettings, _ stores: BlobStores, to name: String
    ) throws -> BlobMove.Report {
        let progress = Progress()
        defer { progress.end() }
        do {
            return try BlobMove(to: name, of: stores, on: try environment.connectAsOwner()).run {
                progress.show("\($0.moved) moved, \($0.removed) removed", $0.movedBytes)
            }
        } catch BlobStoreFailure.full {
            throw CommandFailure(description: "a store is full; make room, and run the command again to continue")
        } catch BlobStoreFailure.away(let reason) {
            throw CommandFailure(description: "\(reason); run the command again to continue")
        }
    }
}
