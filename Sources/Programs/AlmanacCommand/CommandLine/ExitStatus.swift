/// The exit status of the program, for scripts.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// The command failed with a message, or `doctor` has found a fault.
    case failed = 1
    /// The command line or a setting is invalid, or the environment doesn't exist.
    case wrongUsage = 2
    /// The key, release, major, note, account or person doesn't exist, or two configs differ.
    case notFound = 3
    /// Another client changed the config meanwhile, or an import has conflicts, so nothing was done.
    case conflict = 4
    /// The token is missing, is not accepted or lacks a scope.
    case notAllowed = 5
    /// The provider has ended the sign-in; `login` starts a new one.
    case signInAgain = 6

    /// The section of the help about exit statuses.
    static let explanation = """
        Exit status:
          0  success
          1  failure; 'doctor' or 'environment check' found a failed check
          2  usage error, or no such environment
          3  no such key, release, major, note, account or person; 'config search' found nothing;
             'config diff' found a difference
          4  somebody else changed the config meanwhile, or an import has conflicts, so nothing was done
          5  the token is missing, invalid, or lacks a scope
          6  the provider ended the sign-in: run 'almanac login' again

        """
}

/// The reason why a command failed, in one line.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
