import AlmanacConfig
import AlmanacTerminalUI
import Foundation

/// The demo's page: a button on a colored background, and the origin of its values below it.
struct ButtonPage {
    let values: ConfigValues
    let status: ConfigStatus
    let isPressed: Bool

    func lines(_ size: (columns: Int, rows: Int)) -> [String] {
        let ground = values.color("app.background.color", default: ConfigColor(red: 127, green: 179, blue: 213))
        let label = "[ \(values.string("app.fun_button.text", default: "Meow")) ]"
        let url = values.string("app.fun_button.url", default: "")
        let middle = max(0, (size.rows - 3) / 2)
        let ink = isDark(ground) ? "\u{1B}[38;2;255;255;255m" : "\u{1B}[38;2;0;0;0m"
        let paint = "\u{1B}[48;2;\(ground.red);\(ground.green);\(ground.blue)m" + ink
        var page = (0..<max(0, size.rows - 2)).map { row in
            switch row {
            case middle: paint + "\u{1B}[1m" + centred(label, size.columns)
            case middle + 1 where isPressed: paint + centred("opens " + url, size.columns)
            default: paint + centred("", size.columns)
            }
        }
        page.append(Shown.fitting(origin, into: size.columns))
        page.append(Shown.fitting("Return presses the button, q quits.", into: size.columns))
        return page.suffix(size.rows)
    }

    /// A line with the origin and the age of the values.
    private var origin: String {
        let place =
            switch values.origin {
            case .bundled: "shipped with the demo"
            case .cached: "kept from the last run"
            case .fetched: "from the server"
            }
        var parts = ["Values \(place)"]
        if let version = values.version { parts.append("version \(version)") }
        if let time = status.lastFetched { parts.append("asked \(max(0, Int(-time.timeIntervalSinceNow))) s ago") }
        if let failure = status.lastFailure { parts.append(Shown.line("offline: \(failure)")) }
        return parts.joined(separator: ", ") + "."
    }

    private func centred(_ text: String, _ columns: Int) -> String {
        let text = Shown.fitting(Shown.line(text), into: columns)
        let space = columns - Shown.width(text)
        return String(repeating: " ", count: space / 2) + text + String(repeating: " ", count: space - space / 2)
    }

    private func isDark(_ color: ConfigColor) -> Bool {
        299 * Int(color.red) + 587 * Int(color.green) + 114 * Int(color.blue) < 128_000
    }
}
