/// The commands that begin with `almanac note`.
enum NoteCommands {
    static let all =
        NoteReading.all + NoteWriting.all + NoteSyncing.all + [NoteExporting.command, NoteImporting.command]

    static let ownerDetails = """
        They belong to the user of 'almanac login', or of the token in --token-file; nobody sees another's.
        They are kept on this machine too, and brought level with the server first; \
        where it cannot be reached, a line on
        standard error says so, and the command goes on with what is here.
        """

    /// The options for the server, including `--offline`.
    static let server = [Option.offline] + Option.server
    static let id = Operand(name: "ID")
    static let ids = Operand(name: "ID", isRepeated: true)
}

extension Option {
    static let offline = Option(
        name: "--offline", help: "do not ask the server; what is changed is sent by a later command")
}
