internal import Glibc

/// A pointer that each thread has for itself (`pthread_key_create(3)`), nil at first.
package struct ThreadPointer: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let code = unsafe pthread_key_create(&key, nil)
        precondition(code == 0, "cannot create a thread-specific key: \(SystemFailure(code: code))")
        self.key = key
    }

    package var value: UnsafeMutableRawPointer? {
        get { unsafe pthread_getspecific(key) }
        nonmutating set { unsafe pthread_setspecific(key, newValue) }
    }

    /// Sets the pointer to a value for the time of a call.
    package func set<Value, Result>(to value: inout Value, during call: () -> Result) -> Result {
        // Safe because the pointer is forgotten before it becomes invalid.
        unsafe withUnsafeMutablePointer(to: &value) { pointer in
            unsafe self.value = UnsafeMutableRawPointer(pointer)
            defer { unsafe self.value = nil }
            return call()
        }
    }
}
