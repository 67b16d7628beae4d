internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON

extension ConfigRefusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .invalidKey: Problem(.invalidKey, "expected a key of the form \(EntryKey.form)")
        case .keysOutOfScope(let keys, let allowed):
            Problem(
                .keysOutOfScope,
                "nothing was changed: this token may change only \(allowed.joined(separator: ", ")), not "
                    + keys.prefix(20).joined(separator: ", ") + (keys.count > 20 ? " and \(keys.count - 20) more" : ""),
                members: [("keys", .array(keys.map { .string($0) }))])
        case .entryNotFound(let key, let head):
            Problem(.entryNotFound, "there is no entry '\(key)'", headers: ConfigHeaders.fields(of: head))
        case .flagNotFound(let key, let head):
            Problem(.flagNotFound, "there is no flag '\(key)'", headers: ConfigHeaders.fields(of: head))
        case .entryNeverExisted(let key): Problem(.entryNotFound, "there has never been an entry '\(key)'")
        case .entryExists(let key, let head):
            Problem(
                .entryExists, "the entry '\(key)' exists already; replace it with PUT",
                headers: ConfigHeaders.fields(of: head))
        case .wouldReplace(let key, let head):
            Problem(.preconditionFailed, "the entry '\(key)' exists already", headers: ConfigHeaders.fields(of: head))
        case .wouldCreate(let key, let head):
            Problem(.preconditionFailed, "there is no entry '\(key)'", headers: ConfigHeaders.fields(of: head))
        case .configUnchanged(let head):
            Problem(
                .preconditionFailed, "the config is at \(head.cursor), which If-None-Match names",
                headers: ConfigHeaders.fields(of: head))
        case .kindNotAllowed(let kind, let key):
            Problem(
                .invalidValue,
                "'\(key)' cannot have the kind '\(kind.rawValue)'; only '\(EntryKind.flagSetKey)' has the kind "
                    + "'\(EntryKind.flagSet.rawValue)', and it has no other kind")
        case .invalidFlags(let faults): .invalidFlags(faults)
        case .invalidFlagKeys(let keys):
            Problem(
                .invalidValue,
                "nothing was changed: the key of a flag must have the form \(EntryKey.form) and must not be "
                    + "'\(EntryKind.flagSetKey)', unlike "
                    + keys.prefix(20).map { "'\($0.prefix(200))'" }.joined(separator: ", ")
                    + (keys.count > 20 ? " and \(keys.count - 20) more" : ""),
                members: [("names", .array(keys.map { .string(String($0.prefix(200))) }))])
        case .valueTooLarge(let key, let bytes, let limit):
            Problem(.limitExceeded, "the value of '\(key)' has \(bytes) bytes; the limit is \(limit)")
        case .tooManyEntries(let count, let limit):
            Problem(.limitExceeded, "the environment would have \(count) entries; the limit is \(limit)")
        case .differenceNotExpressible(let keys):
            Problem(
                .differenceNotExpressible,
                "a merge patch cannot set a member to null; request whole values with replace=true for these keys: "
                    + keys.joined(separator: ", "))
        case .flagsDiffer(let keys):
            Problem(
                .flagsDiffer,
                "request and send replace=true&form=entries, which includes flags; these flags differ: "
                    + keys.prefix(20).joined(separator: ", ") + (keys.count > 20 ? " and \(keys.count - 20) more" : ""))
        case .configChanged(let head):
            Problem(
                .preconditionFailed, "the config is now at \(head.cursor); read it again, then repeat the change",
                headers: ConfigHeaders.fields(of: head))
        case .revisionNotReached(let revision, let head):
            Problem(
                .revisionNotReached, "revision \(revision) has not arrived yet; the newest is \(head.revision)",
                headers: [("Retry-After", "1")] + ConfigHeaders.fields(of: head))
        case .revisionNotFound(let cursor, let newest):
            Problem(.releaseNotFound, "there is no revision \(cursor); the newest is \(newest)")
        case .revisionTrimmed(let oldest): Problem(.revisionNotKept, "the history begins at revision \(oldest)")
        case .releaseNotFound(let revision): Problem(.releaseNotFound, "there is no release \(revision)")
        case .releaseInFuture(let revision, let newest):
            Problem(.releaseNotFound, "there is no release \(revision); the newest is \(newest)")
        case .versionNotReleased(let pin, let head):
            Problem(
                .versionNotReleased, "the environment is at \(head.version) and has not released \(pin.text)",
                headers: ConfigHeaders.fields(of: head))
        case .majorReleasedLater(let major, let revision):
            Problem(.versionNotReleased, "major version \(major) was released at revision \(revision)")
        case .majorNotFound(let major):
            Problem(.majorNotFound, "the environment has not released major version \(major)")
        case .majorNotServed(let major): Problem(.majorRetired, "major version \(major) is no longer served")
        case .majorRetired(let major): Problem(.majorRetired, "major version \(major) was retired before")
        case .majorInUse(let major):
            Problem(.majorInUse, "major version \(major) is the newest; release another one first")
        }
    }
}

extension Problem {
    /// The maximum number of faults in a problem.
    private static let maxListedFaults = 100

    fileprivate static func invalidFlags(_ faults: [DefinitionFault]) -> Problem {
        let first = faults.first.map { ": \($0.text)" } ?? ""
        let more = faults.count > 1 ? "; there are \(faults.count) faults" : ""
        let listed = faults.prefix(maxListedFaults).map { fault in
            JSONValue.object(
                JSONObject([
                    ("key", .string(fault.key)), ("path", .string(fault.path)), ("message", .string(fault.message)),
                ]))
        }
        return Problem(.invalidFlag, "nothing was changed" + first + more, members: [("faults", .array(Array(listed)))])
    }
}
