import AlmanacFlagsDomain
import AlmanacHTTP
import Testing

@Suite struct RouteTests {
    @Test func `a single evaluation has a route`() throws {
        let request = Request(
            method: "POST", target: try Target("/development/ofrep/v1/evaluate/flags/a"), headers: Headers(),
            id: "test")
        #expect(try Router(FlagsRoutes.all).route(request).captures["key"] == "a")
    }
}
