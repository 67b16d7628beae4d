import Foundation

// Writes a Swift file: AlmanacExampleWriter TEMPLATE OUTPUT PAGE...
let paths = Array(CommandLine.arguments.dropFirst())
do {
    let examples = try paths.dropFirst(2).flatMap { path in
        CodeExample.all(in: try String(contentsOfFile: path, encoding: .utf8), page: path)
    }
    let template = ExampleTemplate(path: paths[0], text: try String(contentsOfFile: paths[0], encoding: .utf8))
    let filled = try template.filled(with: examples)
    // A file that stays the same needs no compilation.
    if filled != (try? String(contentsOfFile: paths[1], encoding: .utf8)) {
        try filled.write(toFile: paths[1], atomically: true, encoding: .utf8)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
