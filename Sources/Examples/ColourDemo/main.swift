// A button whose colour, label and address are config, and change while it is looked at:
//
//     AlmanacColourDemo https://localhost:8443/development cache
//
// ALMANAC_CA_FILE names a file with the only trusted certificate authorities; the default is the system's.

import AlmanacConfig
import AlmanacTerminalUI
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let environment = URL(string: arguments[1]), environment.scheme != nil else {
    print("usage: AlmanacColourDemo ENVIRONMENT FOLDER    AlmanacColourDemo https://localhost:8443/development cache")
    exit(2)
}

// The defaults hold in the first run, before the server has answered.
var options = ConfigOptions(
    environment: environment,
    defaults: [
        "app.background.color": "#7FB3D5", "app.fun_button.text": "Meow",
        "app.fun_button.url": "https://www.example.com",
    ])
options.cache = URL(filePath: arguments[2])
options.minimumInterval = .zero
// A log would overwrite the screen.
options.report = { _ in }
let caFile = ProcessInfo.processInfo.environment["ALMANAC_CA_FILE"].map { URL(fileURLWithPath: $0) }
options.transport = AlmanacHTTPTransport(caFile: caFile)
let client = ConfigClient(options)

do {
    let screen = try Screen()
    defer { screen.leave() }
    let work = [
        Task { await client.follow() }, Task { for await _ in client.updates { screen.wake() } },
        // Redraw every second, because the page shows the age of the values.
        Task { while (try? await Task.sleep(for: .seconds(1))) != nil { screen.wake() } },
    ]
    defer { for task in work { task.cancel() } }
    var isPressed = false
    screen.wake()
    loop: for await event in screen.events {
        switch event {
        case .key(.text("q")), .key(.control("c")), .end: break loop
        case .key(.enter), .key(.text(" ")): isPressed.toggle()
        default: break
        }
        screen.draw(ButtonPage(values: client.values, status: client.status, isPressed: isPressed).lines(screen.size))
    }
} catch {
    print("\(error)")
    exit(1)
}
