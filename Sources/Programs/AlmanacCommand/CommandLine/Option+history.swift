internal import AlmanacClient
internal import AlmanacPOSIX
internal import AlmanacTimestamps

extension Option {
    /// The options of commands that list entries back in time.
    static let history = [
        Option(
            name: "--author", value: "NAME",
            help: "show only actions of this author: a token's label, or a user's subject"),
        Option(name: "--since", value: "TIME", help: "show only actions at this time or later"),
        Option(name: "--until", value: "TIME", help: "show only actions before this time"),
        Option(name: "--limit", value: "N", help: "the maximum number of rows, at most 1000; default: 100"),
        Option(name: "--before", value: "NUMBER", help: "show only rows with a lower number in the first column"),
    ]

    static let timeForms =
        "TIME is a day such as 2026-01-31, a time such as 2026-01-31T09:00:00Z, or an age such as 90m, 24h or 7d."
}

extension Arguments {
    /// Returns the filter from `Option.history` and other options.
    ///
    /// - Parameter others: further parameters of the query.
    func historyFilter(_ others: [(name: String, value: String?)] = []) throws(UsageFailure) -> HistoryFilter {
        HistoryFilter(
            [
                ("limit", try number("--limit", in: 1...1000)), ("before", try number("--before", in: 1...Int64.max)),
                ("author", option("--author")), ("since", try time("--since")), ("until", try time("--until")),
            ] + others)
    }

    private func time(_ name: String) throws(UsageFailure) -> String? {
        guard let text = option(name) else { return nil }
        guard let time = Timestamp(written: text, now: Timestamp(milliseconds: WallClock.milliseconds)) else {
            throw UsageFailure("\(name): '\(text)' is not a time. \(Option.timeForms)")
        }
        return "\(time)"
    }
}

extension Timestamp {
    /// Parses a time as a person writes it: a day in UTC, a time, or an age.
    init?(written text: String, now: Timestamp) {
        if let match = text.wholeMatch(of: /([0-9]{1,6})([mhd])/), let count = Int64(match.1) {
            self = now.advanced(bySeconds: -count * (match.2 == "m" ? 60 : match.2 == "h" ? 3600 : 86_400))
        } else if let time = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") {
            self = time
        } else {
            return nil
        }
    }
}
