internal import AlmanacForms

extension EntryKey {
    /// Returns the text if it is a valid key; throws `invalidKey` otherwise.
    static func checked(_ text: String) throws(ConfigRefusal) -> String {
        guard isValid(text) else { throw .invalidKey }
        return text
    }
}
