import Foundation

enum LocalServer {
    static func address() -> URL {
        #if DEBUG
            let environment = URL(string: "https://localhost:8443/development")!
        #else
            let environment = URL(string: "https://config.example.com/production")!
        #endif
        return environment
    }
}
