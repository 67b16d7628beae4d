/// The commands that begin with `almanac note`.
enum NoteCommands {
    static let all =
        NoteReading.all + NoteWriting.all + NoteAttaching.all + NoteSyncing.all
        + [NoteExporting.command, NoteImporting.command]

    static let ownerDetails = """
        The notes belong to the user of 'almanac login', or of the token in --token-file; nobody else can
        see them. The notes are also kept on this machine. The command syncs with the server first. If the
        server cannot be reached, a line on standard error says so, and the command continues with the local
        notes.
        """

    /// The options for the server, including `--offline`.
    static let server = [Option.offline] + Option.server
    static let id = Operand(name: "ID")
    static let ids = Operand(name: "ID", isRepeated: true)
}

extension Option {
    static let offline = Option(name: "--offline", help: "do not contact the server; a later command sends the changes")
}
