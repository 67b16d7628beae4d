import AlmanacHTTP
import Testing

/// Runs a closure. Returns the problem that it throws, or nil.
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

/// Returns the bytes of a text, to compare texts where `==` would accept canonical equivalence.
func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
