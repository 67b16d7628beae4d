internal import AlmanacForms

extension EntryKey {
    /// Refuses a text that is no key.
    static func checked(_ text: String) throws(ConfigRefusal) -> String {
        guard isValid(text) else { throw .invalidKey }
        return text
    }
}
