import AlmanacHTTP
import Testing

/// What the work is refused with, nil when it isn't.
func problem(_ body: () throws -> some Any) -> Problem? {
    do {
        _ = try body()
    } catch let problem as Problem {
        return problem
    } catch {
        Issue.record(error)
    }
    return nil
}

/// The bytes of a text, for where `==` would take canonically equivalent texts for the same.
func bytes(_ text: String?) -> [UInt8]? {
    text.map { Array($0.utf8) }
}
