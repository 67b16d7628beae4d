internal import AlmanacHTTP

/// A secret in a text that everybody sees who may read the history.
enum WrittenSecret {
    /// Throws if a text has an API token or the secret of a hook.
    ///
    /// - Parameter name: The header or member, for the problem.
    static func refuse(in text: String, of name: String, _ kind: ProblemKind) throws(Problem) {
        guard text.contains(/almanac_[a-z][a-z0-9-]{0,31}_[A-Za-z0-9_-]{43}|whsec_[A-Za-z0-9+\/]{32}/) else { return }
        throw Problem(
            kind,
            "\(name) has a token or the secret of a hook, which everybody would see who may read the history; "
                + "leave it out")
    }
}
