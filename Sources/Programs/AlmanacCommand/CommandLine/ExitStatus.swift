/// How the program ends, for scripts to act on.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    /// Something went wrong, and the message says what; `doctor` has found something.
    case failed = 1
    /// The command line, or a setting, cannot be understood; there is no such environment.
    case wrongUsage = 2
    /// There is no such key, release, major or note; or two configs differ.
    case notThere = 3
    /// The config was changed by somebody else meanwhile; nothing was done.
    case movedOn = 4
    /// The token is missing, not accepted, or may not do this.
    case notAllowed = 5
    /// The provider has ended the sign-in; `login` makes another.
    case signInAgain = 6

    /// The text about all of them in the help.
    static let explanation = """
        Exit status:
          0  done
          1  failed; 'doctor' and 'environment check' have found something
          2  wrong usage, or no such environment
          3  there is no such key, release, major or note; 'config search' has found nothing,
             'config diff' a difference
          4  the config was changed by somebody else meanwhile, so nothing was done
          5  the token is missing, not accepted, or may not do this
          6  the provider has ended the sign-in: 'almanac login' again

        """
}

/// Why a command failed, in one line.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
