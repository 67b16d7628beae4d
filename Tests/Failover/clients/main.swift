import Foundation

// The clients of a failover test. A script kills and promotes servers, and reports its progress by lines on standard
// input. The program answers each line with one line.
let usage = "almanac-failover-clients ENVIRONMENT-URL API-TOKEN-FILE USER-TOKEN-FILE FOLDER"
let arguments = CommandLine.arguments
guard arguments.count == 5 else {
    print(usage)
    exit(2)
}
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
func word(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
}
let service = Service(
    environment: arguments[1], tokens: (operator: try word(arguments[2]), user: try word(arguments[3])))
let clients = try FailoverClients(service, folder: arguments[4])
do {
    while let line = readLine() {
        switch line {
        case "begin":
            try await clients.begin()
            say("begun")
        case "sleep": say("idle at \(try await clients.suspendIdleClients())")
        case "promoted": say("writing \(try await clients.awaitWrites())")
        case "pass":
            try await clients.awaitNewHistory()
            say("passed")
        case "end":
            let (line, wrong) = try await clients.end()
            for fault in wrong { FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
            say(line)
        default: throw UnexpectedResult("unknown command \(line)")
        }
    }
} catch {
    say("failed: \(error)")
    exit(1)
}
