internal import AlmanacForms
internal import AlmanacRevisions

/// The commands that begin with `almanac config`.
enum ConfigCommands {
    static let all = [
        ConfigReading.get, ConfigReading.list, ConfigReading.search, ConfigWriting.set, ConfigWriting.unset,
        ConfigPurging.command, ConfigEditing.command, ConfigReading.export, ConfigImport.command, ConfigComparing.diff,
        ConfigComparing.promote, ConfigHistory.history, ConfigHistory.show, ConfigHistory.restore, ConfigMajors.list,
        ConfigMajors.retire, ConfigWatching.command, ConfigGenerating.command,
    ]
}

extension Arguments {
    /// Returns the message for the history.
    func message() throws(UsageFailure) -> String? {
        guard let message = option(Option.message.name) else { return nil }
        guard ReleaseMessage.isValid(message) else {
            throw UsageFailure("--message must be \(ReleaseMessage.form)")
        }
        return message
    }

    /// Returns the revision or cursor given for `--at`.
    func at() throws(UsageFailure) -> String? {
        guard let text = option(Option.at.name) else { return nil }
        try Arguments.checkRevision(text)
        return text
    }

    static func checkRevision(_ text: String) throws(UsageFailure) {
        guard Cursor(text) != nil else {
            throw UsageFailure("'\(text)' is not a valid revision; expected a whole number, such as 43")
        }
    }

    static func checkKey(_ text: String) throws(UsageFailure) {
        guard EntryKey.isValid(text) else {
            throw UsageFailure(
                "'\(text)' is not a valid key; expected a letter or underscore, then letters, digits, _, . and -, "
                    + "at most 128 characters")
        }
    }
}
