internal import CPosix

/// A system call that failed, with the error number it left.
public struct PosixError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, such as `connect`.
  public var call: String
  /// The value of `errno`.
  public var code: Int32

  /// An error of a call that already told its number.
  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// Reads `errno`, so it must be the next thing done after the failed call.
  init(call: String) {
    self.init(call: call, code: cposix_errno())
  }

  /// Whether a `StopSignal` ended the call.
  public var isStopped: Bool { code == ECANCELED }

  /// Whether nothing listens at an address.
  public var isRefused: Bool { code == ECONNREFUSED }

  /// Whether the reader of what was written is gone.
  public var isBrokenPipe: Bool { code == EPIPE }

  /// Whether there is a file already where one was to be made.
  public var isFileThere: Bool { code == EEXIST }

  /// Whether the disk is full, or what this user may have of it.
  public var isNoRoom: Bool { code == ENOSPC || code == EDQUOT }

  /// Whether the process, or the system, may open nothing more for now.
  public var isOutOfDescriptors: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

  public var description: String { message }

  /// One line for people, such as `connect: Connection refused`.
  public var message: String {
    let text = unsafe cposix_error_text(code).map { unsafe String(cString: $0) }
    return "\(call): \(text ?? "error \(code)")"
  }
}
