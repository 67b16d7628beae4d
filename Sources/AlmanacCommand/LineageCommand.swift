internal import Environments
internal import Config
internal import POSIX

/// `almanac lineage`
enum LineageCommand {
    static func renew(_ arguments: Arguments) throws {
        var arguments = arguments
        let environment = try arguments.environment(try arguments.next("an environment"))
        try arguments.finish()
        let lineage = try ConfigAdministration(try environment.connectAsOwner()).renewLineage()
        try Process.output("\(environment.name): the lineage is now \(lineage)\n")
    }
}
