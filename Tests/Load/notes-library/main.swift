import AlmanacNotes
// How long AlmanacNotes takes with many notes, and how much memory. Tests/Load/notes-library/run calls it once for each
// measurement, so that the memory is that of one of them.
import Foundation

let usage = """
    almanac-load-notes fill|first|make|open|list|search|edit|again ENVIRONMENT TOKEN-FILE FOLDER NOTES

    fill      makes notes on one device, and sends them to the server
    first     brings them to a device that has none
    make      makes them on that device without a server
    open      opens the file of that device, and lists its notes
    list      lists them without their bodies
    search    searches it for words and for beginnings of words
    edit      edits notes there, each edit on the disk before the next
    again     syncs that device with nothing new, and with ten changes of the other one
    """

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["--help"] {
    print(usage)
    exit(0)
}
guard arguments.count == 6, let environment = URL(string: arguments[2]), let count = Int(arguments[5]), count > 9 else {
    print(usage)
    exit(2)
}

let devices = Devices(environment: environment, tokenFile: arguments[3], folder: arguments[4])
let name = arguments[1]
switch name {
case "fill": try await Measurements.fill(devices, count)
case "first": try await Measurements.first(devices, count)
case "make": try await Measurements.make(devices, count)
case "list": try await Measurements.list(devices, count)
case "open": try await Measurements.open(devices, count)
case "search": try await Measurements.search(devices)
case "edit": try await Measurements.edit(devices)
case "again": try await Measurements.again(devices)
default:
    print(usage)
    exit(2)
}
Report.line("\(name): most memory", "\(Report.mostMemory / 1024) MB")
