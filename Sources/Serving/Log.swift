internal import JSON
internal import POSIX
internal import Timestamps

/// The log: one JSON object a line on standard error. No tokens, no values.
public enum Log {
    public static func info(_ message: String, _ fields: (name: String, value: String)...) {
        write("info", message, fields)
    }

    public static func error(_ message: String, _ fields: (name: String, value: String)...) {
        write("error", message, fields)
    }

    private static func write(_ level: String, _ message: String, _ fields: [(name: String, value: String)]) {
        var writer = JSONWriter()
        writer.beginObject()
        let time = Timestamp(milliseconds: WallClock.milliseconds)
        for field in [("time", "\(time)"), ("level", level), ("message", message)] + fields {
            writer.name(field.0)
            writer.string(field.1)
        }
        writer.endObject()
        Process.report(String(decoding: writer.bytes, as: UTF8.self))
    }
}
