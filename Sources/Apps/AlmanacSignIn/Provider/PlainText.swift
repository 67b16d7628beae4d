/// What others say, made fit for a message.
enum PlainText {
    /// An error code of OAuth, cut and without anything but printable ASCII; nil when nothing is left.
    static func code(_ text: String) -> String? {
        let scalars = text.unicodeScalars.prefix(100).filter { (0x21...0x7E).contains($0.value) }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
}
