public import AlmanacHTTP

/// The calls that tell of changes.
public enum EventsRoutes {
    public static let all: [Route<EventsVisit>] = [
        Route("GET", "/{environment}/events", EventsEndpoint.events)
    ]
}
