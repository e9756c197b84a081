internal import CSandbox

/// Why threads could not be confined.
package enum SandboxError: Error, Hashable, Sendable {
  /// The kernel has no filters of system calls, or this kind of machine is not known.
  case unsupported
  /// A call failed, with the error number it left.
  case failed(call: String, code: Int32)
  /// The process was started with a filter, and the kernel does not tell which threads have one more.
  case filtersNotTold
  /// Threads that block the signal that asks them, by their names.
  case threadsLeft([String])

  /// Whether the same would happen the next time: the kernel, or a filter around this process, forbids it. A lack of memory
  /// or descriptors passes.
  package var isPermanent: Bool {
    switch self {
    case .unsupported, .filtersNotTold: true
    case .failed(_, let code): [EPERM, EACCES, EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
    case .threadsLeft: false
    }
  }

  /// One line for people.
  package var message: String {
    switch self {
    case .unsupported: "this kernel does not filter system calls"
    case .failed(let call, let code):
      "\(call): \(unsafe csandbox_error_text(code).map { unsafe String(cString: $0) } ?? "error \(code)")"
    case .filtersNotTold:
      "this process was started with a filter of system calls, and a kernel before 5.9 does not tell filters apart"
    case .threadsLeft(let names): "threads did not answer: \(names.joined(separator: ", "))"
    }
  }
}
