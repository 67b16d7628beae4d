@MainActor @preconcurrency
public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// The window of the stand-in.
    public func host() -> ViewHost { ViewHost(content) }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}
