internal import AlmanacClient
internal import AlmanacPOSIX
internal import AlmanacRevisions

/// The manual pages for man(1), generated from the table of commands.
enum ManualPage {
    /// Writes all pages into a folder.
    static func write(into folder: String) throws {
        for page in all {
            let path = "\(folder)/\(page.file)"
            do { try File.replace(path, contents: Array(page.text.utf8), permissions: 0o644) } catch {
                throw CommandFailure(description: "\(path): \(error)")
            }
        }
    }

    /// The page of the program, followed by a page per command.
    static var all: [(file: String, text: String)] {
        [("almanac.1", overview)] + CommandTable.all.map { ("\(name($0)).1", of($0)) }
    }

    static var overview: String {
        var text = head("almanac", "change and read config, flags and notes, and operate Almanac")
        text += ".SH SYNOPSIS\n\\fBalmanac\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n"
        text += ".SH DESCRIPTION\n" + paragraphs(HelpText.settings)
        text += ".SH COMMANDS\n"
        for command in CommandTable.all {
            text += ".TP\n\(reference(command))\n" + line(command.summary)
        }
        return text + ".SH EXIT STATUS\n"
            + paragraphs(ExitStatus.explanation.split(separator: "\n").dropFirst().joined(separator: "\n"))
    }

    static func of(_ command: Command) -> String {
        let purpose = command.summary.hasSuffix(".") ? String(command.summary.dropLast()) : command.summary
        var text = head(name(command), purpose)
        text += ".SH SYNOPSIS\n\\fB\(escaped("almanac \(command.name)"))\\fR"
        text += escaped(command.usage.dropFirst("almanac \(command.name)".count)) + "\n"
        if !command.details.isEmpty { text += ".SH DESCRIPTION\n" + paragraphs(command.details) }
        if !command.options.isEmpty { text += ".SH OPTIONS\n" }
        for option in command.options {
            text += ".TP\n\\fB\(escaped((option.short.map { $0 + ", " } ?? "") + option.name))\\fR"
            text += (option.value.map { " \\fI\(escaped($0))\\fR" } ?? "") + "\n" + line(option.help)
        }
        text += ".SH EXAMPLES\n" + literal(command.example.split(separator: "\n", omittingEmptySubsequences: false))
        let topic = command.name.prefix { $0 != " " }
        let others = CommandTable.all.filter { $0.name != command.name && $0.name.hasPrefix(topic + " ") }
        text += ".SH SEE ALSO\n\\fBalmanac\\fR(1), which explains the exit statuses and the settings"
        return text + others.map { ",\n\(reference($0))" }.joined() + "\n"
    }

    private static func name(_ command: Command) -> String { "almanac-" + command.name.replacing(" ", with: "-") }

    private static func reference(_ command: Command) -> String { "\\fB\(escaped(name(command)))\\fR(1)" }

    private static func head(_ name: String, _ purpose: String) -> String {
        ".TH \"\(escaped(name.uppercased()))\" 1 \"\" \"almanac \(AlmanacVersion.current)\" \"Almanac\"\n"
            + ".nh\n.ad l\n.SH NAME\n\(escaped(name)) \\- \(escaped(purpose))\n"
    }

    /// Formats text in paragraphs; indented lines are literal.
    private static func paragraphs(_ text: String) -> String {
        var result = ""
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let first = rest.first {
            if first.hasPrefix("  ") {
                result += literal(rest.prefix { $0.hasPrefix("  ") })
                rest = rest.drop { $0.hasPrefix("  ") }
            } else {
                result += first.isEmpty ? (rest.count > 1 ? ".PP\n" : "") : line(first)
                rest = rest.dropFirst()
            }
        }
        return result.replacing(".PP\n.PP\n", with: ".PP\n")
    }

    private static func literal(_ lines: some Sequence<Substring>) -> String {
        ".PP\n.nf\n" + lines.map { $0.isEmpty ? "\\&\n" : line($0) }.joined() + ".fi\n"
    }

    /// Formats a line of text, protected from being read as a roff request.
    private static func line(_ text: some StringProtocol) -> String { "\\&\(escaped(text))\n" }

    /// Escapes text so that it can be copied from the page unchanged.
    private static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "\"": "\\(dq"
            case _ where scalar.value > 126: "\\[u\(padded(String(scalar.value, radix: 16, uppercase: true)))]"
            default: String(scalar)
            }
        }.joined()
    }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
