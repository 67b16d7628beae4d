extension Timestamp {
    /// Reads an HTTP date (RFC 9110 §5.6.7) in the current form or one of the two obsolete ones. A year of two digits
    /// is at most 50 years ahead of `now`.
    public init?(httpDate text: String, now: Timestamp) {
        var words = text.split { $0 == " " || $0 == "," }.map(String.init)
        // Sunday, 06-Nov-94 08:49:37 GMT
        if words.count == 4 { words[1...1] = words[1].split(separator: "-").map(String.init)[...] }
        // Sun Nov  6 08:49:37 1994
        if words.count == 5 { words = [words[0], words[2], words[1], words[4], words[3], "GMT"] }
        // Sun, 06 Nov 1994 08:49:37 GMT
        guard words.count == 6, words[5] == "GMT", let month = Self.months.firstIndex(of: words[2]),
            words[4].utf8.count == 8
        else { return nil }
        if words[1].utf8.count == 1 { words[1] = "0" + words[1] }
        if words[3].utf8.count == 2, let digits = Int(words[3]) {
            let present = CivilTime(now).year
            let year = present / 100 * 100 + digits
            words[3] = padded(year > present + 50 ? year - 100 : year, 4)
        }
        self.init("\(words[3])-\(padded(month + 1, 2))-\(words[1])T\(words[4])Z")
    }
}
