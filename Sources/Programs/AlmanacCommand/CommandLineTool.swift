internal import AlmanacClient
internal import AlmanacMigrations
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacSignIn

/// The command line for operators, and for people who work on an app's config.
enum CommandLineTool {
    /// Runs the command that the words name, and reports a failure in one line on standard error.
    static func run(_ words: [String]) -> ExitStatus {
        do {
            return try start(words)
        } catch let failure as UsageFailure {
            Process.report("almanac: \(failure)\nTry: almanac \(failure.command.map { $0 + " " } ?? "")--help")
            return .wrongUsage
        } catch let failure as SystemFailure where failure.isBrokenPipe {
            // The reader of the output, such as `head`, has closed the pipe.
            return .failed
        } catch {
            let line = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            Process.report("almanac: \(line)")
            return status(error)
        }
    }

    private static func start(_ words: [String]) throws -> ExitStatus {
        switch words.first {
        case nil, "--help", "-h":
            try Process.output(HelpText.overview)
            return .success
        case "--version":
            try Process.output("almanac \(AlmanacVersion.current), schema \(Schema.required)\n")
            return .success
        case "help":
            try Process.output(try HelpText.topic(Array(words.dropFirst())))
            return .success
        case "complete":
            try Process.output(Completion.candidates(for: Array(words.dropFirst())).map { $0 + "\n" }.joined())
            return .success
        case "man":
            // This command is for installers, so the help omits it.
            guard words.count == 2 else { throw UsageFailure("expected 'man FOLDER': the folder for the manual pages") }
            try ManualPage.write(into: words[1])
            return .success
        default: break
        }
        let (command, rest) = try CommandTable.find(words)
        guard let command else {
            try Process.output(try HelpText.topic(words.filter { !$0.hasPrefix("-") }))
            return .success
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            try Process.output(HelpText.of(command))
            return .success
        }
        do {
            return try command.run(try Arguments(Array(rest), for: command))
        } catch var failure as UsageFailure {
            failure.command = command.name
            throw failure
        } catch let failure as CallFailure {
            guard let name = failure.environment, let arguments = try? Arguments(Array(rest), for: command) else {
                throw failure
            }
            let suggestion = Suggestion.text(for: name, among: arguments.knownEnvironments)
            throw failure.described(as: "\(failure)\(suggestion)")
        }
    }

    private static func status(_ error: any Error) -> ExitStatus {
        if error is SettingsFailure { return .wrongUsage }
        if let failure = error as? SignInFailure { return status(of: failure) }
        if let required = error as? SignInRequired { return required.reason == .ended ? .signInAgain : .notAllowed }
        if case NotesFailure.noSuchNote = error { return .notFound }
        guard let failure = error as? CallFailure else { return .failed }
        return switch failure.kind {
        case .notFound: .notFound
        case .preconditionFailed: .conflict
        case .notAllowed: .notAllowed
        case .noEnvironment: .wrongUsage
        case .unreachable, .refused: .failed
        }
    }

    private static func status(of failure: SignInFailure) -> ExitStatus {
        switch failure {
        case .denied: .notAllowed
        case .setting: .wrongUsage
        default: .failed
        }
    }
}
