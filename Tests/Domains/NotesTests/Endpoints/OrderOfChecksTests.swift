import AlmanacHTTP
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct OrderOfChecksTests {
    @Test func `401 comes before every other refusal, for every call`() throws {
        let instance = try NotesInstance()
        for route in NotesRoutes.all {
            let path = route.pattern.replacing("/{environment}", with: "").replacing("{id}", with: "no!id")
            for user in [nil, "alice"] {
                let answer = try instance.call(
                    route.method, path + "?nonsense=1", "{", as: user, ("If-Match", "nonsense"),
                    ("If-None-Match", "nonsense"), ("Accept", "text/plain"))
                #expect((answer.outcome == "401 token-needed") == (user == nil), "\(route.method) \(route.pattern)")
                #expect(answer.status >= 400)
            }
        }
    }
}
