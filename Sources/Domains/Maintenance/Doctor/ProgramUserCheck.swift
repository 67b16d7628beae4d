internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The check that the users of the server programs can read the necessary files and no more. The doctor itself may run
/// as root, which can read everything.
struct ProgramUserCheck {
    private let path: String

    /// - Parameter path: the environments file.
    init(_ path: String) { self.path = path }

    private static let check = "programs' user"
    private static let programs = ["almanac-worker", "almanac-events"]

    func findings() -> [Finding] {
        let users: [(program: RunningProgram, file: String)]
        do { users = try Self.users(of: path) } catch {
            return [
                .skipped(
                    Self.check, path, "this user cannot see who runs the programs: \(error)",
                    advice: "run almanac doctor as root")
            ]
        }
        guard !users.isEmpty else {
            return [
                .skipped(
                    Self.check, path, "no running program reads this file, so its access was not checked",
                    advice: "start the programs, then run almanac doctor again")
            ]
        }
        let files = Self.files(namedIn: path)
        return users.map { finding($0.program, [$0.file] + files.worker, files.owner) }
    }

    private func finding(_ program: RunningProgram, _ needed: [String], _ withheld: [String]) -> Finding {
        let name = program.userName
        guard Process.effectiveUser == 0 || Process.effectiveUser == program.user else {
            return .skipped(
                Self.check, path, "the files that '\(name)' can read were not checked",
                advice: "run almanac doctor as root")
        }
        do {
            for file in needed where try !canRead(file, as: program) {
                return .failed(
                    Self.check, file, "'\(name)', which runs the programs, cannot read it",
                    advice: "let the group of '\(name)' read the file (chgrp, chmod 640) and enter its parent folders")
            }
            // Developers may run everything as one user.
            let hasOwnUser = Process.effectiveUser == 0 && program.user != 0
            for file in withheld where try hasOwnUser && canRead(file, as: program) {
                return .failed(
                    Self.check, file, "'\(name)', which runs the programs, can read the owner's password",
                    advice: "let only the users of the command line read the file: chmod 600")
            }
        } catch {
            return .skipped(Self.check, path, "the files that '\(name)' can read were not checked: \(error)")
        }
        return .good(Self.check, path, "'\(name)', which runs the programs, can read exactly the files that it needs")
    }

    /// Returns true if the system lets the program's user, with its groups, read a file.
    private func canRead(_ file: String, as program: RunningProgram) throws -> Bool {
        if Process.effectiveUser != 0 { return (try? File.read(file)) != nil }
        let (status, text) = try ChildProcess.output(
            of: "setpriv",
            ["--reuid=\(program.user)", "--regid=\(program.group)", "--init-groups", "--", "test", "-r", file])
        guard status <= 1 else { throw MaintenanceFailure(text) }
        return status == 0
    }

    /// Returns one running program per user, with its own path of the environments file: the path that was given to the
    /// doctor may be closed to that user.
    ///
    /// - Throws: `SystemFailure` if this user may inspect none of the programs.
    private static func users(of path: String) throws(SystemFailure) -> [(program: RunningProgram, file: String)] {
        var users: [(program: RunningProgram, file: String)] = []
        var failure: SystemFailure?
        for program in RunningProgram.named(programs) {
            do {
                let file = try program.variable("ALMANAC_ENVIRONMENTS") ?? "/etc/almanac/environments.json"
                guard isSame(file, path), !users.contains(where: { $0.program.user == program.user }) else { continue }
                users.append((program, file))
            } catch {
                if !program.hasEnded { failure = error }
            }
        }
        if users.isEmpty, let failure { throw failure }
        return users
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = try? FileSystem.identity(of: one), let other = try? FileSystem.identity(of: other) else {
            return false
        }
        return one == other
    }

    /// Returns the files with passwords and secrets: those that the programs' user must read, and those it must not.
    /// Both are empty for an invalid file, which another check reports.
    private static func files(namedIn path: String) -> (worker: [String], owner: [String]) {
        guard let bytes = try? File.read(path), let root = try? JSONValue(parsing: bytes).objectValue else {
            return ([], [])
        }
        let sections = root.members.compactMap(\.value.objectValue)
        return (
            worker: sections.compactMap { $0["password_file"]?.stringValue }
                + sections.compactMap { $0["identity"]?.objectValue?["client_secret_file"]?.stringValue },
            owner: sections.compactMap { $0["owner"]?.objectValue?["password_file"]?.stringValue }
        )
    }
}
