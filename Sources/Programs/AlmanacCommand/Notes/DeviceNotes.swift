internal import AlmanacClient
internal import AlmanacCryptography
internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacSignIn

/// A user's notes in a file on this machine, synced with the server if it is reachable.
final class DeviceNotes {
    let store: NotesStore
    private let refusal: ExitStatus
    private let isOffline: Bool
    /// The reason why the last sync failed; nil if it succeeded.
    private(set) var failure: NotesSyncFailure?

    /// Opens the notes of the user whom the command line names.
    init(_ arguments: Arguments) throws {
        let profile = try Settings.profile(arguments)
        let address = try EnvironmentAddress(profile)
        let owner = try NotesOwner(arguments, profile, address)
        refusal = owner.refusal
        isOffline = arguments.has(Option.offline.name)
        guard let folder = Self.folder, let path = Self.file(of: owner.account, address) else {
            throw CommandFailure(description: "there is no folder for notes; set HOME, or XDG_DATA_HOME to a folder")
        }
        do { try File.makePrivateFolder(folder) } catch { throw CommandFailure(description: "\(folder): \(error)") }
        store = try NotesStore(
            path: path, address, account: owner.account, tokens: owner.tokens, caFile: profile.caFile)
    }

    private static var folder: String? { Settings.dataFolder.map { $0 + "/notes" } }

    /// Returns the file of a user's notes of an environment on this machine; nil if there is no home folder.
    static func file(of account: UserAccount, _ address: EnvironmentAddress) -> String? {
        let owner = "\(address) \(account.issuer) \(account.subject)"
        let mark = Hex.encode(Array(SHA256.digest(Array(owner.utf8)).prefix(8)))
        return folder.map { "\($0)/\(address.name)-\(mark).db" }
    }

    /// Sends local changes and fetches new ones, unless `--offline` is given.
    func sync() throws {
        let store = store
        guard !isOffline else {
            failure = .noServer
            return
        }
        failure = try blockUntilDone {
            do throws(NotesSyncFailure) { try await store.sync() } catch { return error }
            return nil
        }
    }

    /// Does something with an attachment's file, which is fetched if necessary, unless `--offline` is given.
    func withFile<Result: Sendable>(
        of id: String, _ work: @escaping @Sendable (NotesStore) async throws -> Result
    ) throws -> Result {
        let (store, isOffline) = (store, isOffline)
        return try blockUntilDone {
            if isOffline, try await store.attachment(id)?.isHere != true { throw NotesSyncFailure.noServer }
            return try await work(store)
        }
    }

    /// Does something with a note, and syncs first if the note is not on this machine.
    func withNote<Result: Sendable>(_ work: @escaping @Sendable (NotesStore) async throws -> Result) throws -> Result {
        let store = store
        do {
            return try blockUntilDone { try await work(store) }
        } catch NotesFailure.noSuchNote {
            try sync()
            do {
                return try blockUntilDone { try await work(store) }
            } catch NotesFailure.noSuchNote(let id) {
                throw try missing(id)
            }
        }
    }

    /// Returns a note from the list or the trash.
    func note(_ id: String) throws -> StoredNote {
        let store = store
        guard let note = try blockUntilDone({ try await store.note(id) }) else { throw try missing(id) }
        return note
    }

    /// Returns the error of a note that is not on this machine. After a failed sync, the note may exist on the server.
    private func missing(_ id: String) throws -> any Error {
        guard let failure else { return CallFailure(notFound: "you have no note '\(id)'") }
        return CommandFailure(description: "there is no note '\(id)' on this machine, and \(Self.reason(failure))")
    }

    /// Returns the exit status of a command that reads notes. Warns first if the notes may be stale.
    func readStatus() throws -> ExitStatus {
        guard let failure else { return .success }
        let store = store
        let isKnown = try blockUntilDone { await store.hasEverSynced }
        report(
            "\(Self.reason(failure)); the notes of this machine may be stale"
                + (isKnown ? "" : ", and were never completely downloaded"))
        let isEmpty = try blockUntilDone { try await store.notes().isEmpty }
        return isKnown || !isEmpty ? status(of: failure, otherwise: .success) : status(of: failure, otherwise: .failed)
    }

    /// Returns the exit status of a command that changes notes. Reports changes that are pending or refused.
    func writeStatus(_ ids: [String]) throws -> ExitStatus {
        if let failure {
            report("\(Self.reason(failure)); the change is saved on this machine, and a later command sends it")
            return status(of: failure, otherwise: .success)
        }
        var status = ExitStatus.success
        for id in ids {
            let store = store
            guard case .needsAttention(let problem)? = try blockUntilDone({ try await store.note(id)?.status }) else {
                continue
            }
            report(
                "the server refused the change of note '\(TextTable.line(id))': \(problem.detail); "
                    + "the change is saved on this machine; "
                    + "edit the note again, or run 'almanac note keep' or 'almanac note discard'")
            status = .failed
        }
        return status
    }

    /// - Parameter otherwise: the status if the server is unreachable, or if the failure doesn't concern its user.
    func status(of failure: NotesSyncFailure, otherwise: ExitStatus) -> ExitStatus {
        switch failure {
        case .signInRequired: refusal
        case .refused(403, _), .otherAccount: .notAllowed
        case .file: .failed
        default: otherwise
        }
    }

    func report(_ text: String) {
        guard !isOffline else { return }
        let advice = failure == .signInRequired && refusal == .signInAgain ? " (run 'almanac login' again)" : ""
        Process.report("almanac: \(text.split(whereSeparator: \.isNewline).joined(separator: " "))\(advice)")
    }

    static func reason(_ failure: NotesSyncFailure) -> String {
        switch failure {
        case .noServer: "the server was not contacted"
        case .signInRequired: "the server requires a new sign-in"
        case .decisionNeeded(let missing, let total):
            "\(missing) of \(total) notes are no longer on the server; "
                + "'almanac note sync --missing keep' sends these notes again, "
                + "'--missing trash' moves them to the trash"
        default: "\(failure)"
        }
    }
}
