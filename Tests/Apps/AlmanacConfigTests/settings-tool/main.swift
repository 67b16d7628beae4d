// A program that reads and writes settings on the device and exits at once:
//
//     almanac-settings-tool set VOLUME | fill | get | count

import AlmanacConfig
import Foundation

extension ConfigKeys {
    static let volume = ConfigKey("volume", default: 0.5)
    static let isLoud = ConfigKey("is.loud", default: false)
    static let tags = ConfigKey("tags", default: [String]())
    static let step = ConfigKey("step", default: 0)
}

let settings = try SettingsStore(
    report: { FileHandle.standardError.write(Data("\($0)\n".utf8)) },
    {
        UserDefaultSetting(.volume)
        UserDefaultSetting(.isLoud)
        UserDefaultSetting(.tags)
        UserDefaultSetting(.step)
    })
// A write beyond the file size limit must fail instead of ending the program.
signal(SIGXFSZ, SIG_IGN)
switch CommandLine.arguments.dropFirst().first {
case "set":
    exit(settings.set(Double(CommandLine.arguments[2]) ?? 0, for: .volume) ? 0 : 1)
case "fill":
    exit(settings.set((0..<100).map { "tag number \($0)" }, for: .tags) ? 0 : 1)
case "get":
    print(settings[.volume], settings[.isLoud], settings[.tags].prefix(2), settings[.step])
case "count":
    for step in (settings[.step] + 1)... {
        guard settings.set(step, for: .step) else { exit(1) }
        FileHandle.standardOutput.write(Data("\(step)\n".utf8))
    }
default: exit(2)
}
