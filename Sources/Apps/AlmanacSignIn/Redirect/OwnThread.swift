#if canImport(Glibc)
    internal import Glibc
#else
    internal import Foundation
#endif

/// A thread of its own for work that blocks: of Swift's and Dispatch's few, all may be taken by others that wait.
enum OwnThread {
    /// - Returns: false when the system has no room for another thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Glibc)
            var thread = pthread_t()
            let work = unsafe Unmanaged.passRetained(Work(body))
            // Safe because what is retained here is released exactly once: by the thread, or below when there is none.
            let code = unsafe pthread_create(
                &thread, nil,
                { argument in
                    unsafe Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                    return nil
                }, work.toOpaque())
            guard code == 0 else {
                unsafe work.release()
                return false
            }
            pthread_detach(thread)
        #else
            Thread.detachNewThread(body)
        #endif
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
