internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacPOSIX

/// Whether the users that the server programs run as can read what they have to, and nothing more: the administrator,
/// as whom this is run, can read everything.
struct ProgramUserCheck {
    private let path: String

    /// - Parameter path: the environments file.
    init(_ path: String) {
        self.path = path
    }

    private static let check = "programs' user"
    private static let programs = ["almanac-worker", "almanac-events"]

    func findings() -> [Finding] {
        let users: [(program: RunningProgram, file: String)]
        do { users = try Self.users(of: path) } catch {
            return [
                .skipped(
                    Self.check, path, "this user may not know who runs the programs: \(error)",
                    advice: "run this as root")
            ]
        }
        guard !users.isEmpty else {
            return [
                .skipped(
                    Self.check, path, "no program runs that reads this file, so whether one could was not looked at",
                    advice: "start it, then run this again")
            ]
        }
        let files = Self.files(namedIn: path)
        return users.map { finding($0.program, [$0.file] + files.worker, files.owner) }
    }

    private func finding(_ program: RunningProgram, _ needed: [String], _ withheld: [String]) -> Finding {
        let name = program.userName
        guard Process.effectiveUser == 0 || Process.effectiveUser == program.user else {
            return .skipped(Self.check, path, "what '\(name)' can read was not looked at", advice: "run this as root")
        }
        do {
            for file in needed where try !canRead(file, as: program) {
                return .failed(
                    Self.check, file, "'\(name)', which runs the programs, cannot read it",
                    advice: "let its group read it (chgrp, chmod 640), and the folders above be entered")
            }
            // One user for everything is a choice of developers.
            let hasOwnUser = Process.effectiveUser == 0 && program.user != 0
            for file in withheld where try hasOwnUser && canRead(file, as: program) {
                return .failed(
                    Self.check, file, "'\(name)', which runs the programs, can read the owner's password",
                    advice: "let only those read it who run the command line: chmod 600")
            }
        } catch {
            return .skipped(Self.check, path, "what '\(name)' can read was not looked at: \(error)")
        }
        return .good(Self.check, path, "'\(name)', which runs the programs, can read what it has to and no more")
    }

    /// As the system decides it, with the user's groups.
    private func canRead(_ file: String, as program: RunningProgram) throws -> Bool {
        if Process.effectiveUser != 0 { return (try? File.read(file)) != nil }
        let (status, text) = try ChildProcess.output(
            of: "setpriv",
            ["--reuid=\(program.user)", "--regid=\(program.group)", "--init-groups", "--", "test", "-r", file])
        guard status <= 1 else { throw MaintenanceFailure(text) }
        return status == 0
    }

    /// One program for each user that runs one with the file, and the file as the program names it: the way by which
    /// this user names it may be closed to others.
    ///
    /// - Throws: when this user may not know of any.
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

    /// The files with passwords and secrets, of those who may and those who must not be the programs' user. A broken
    /// file has none; that is told elsewhere.
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
