internal import CPosix

/// The file that a standard stream was sent to, for opening it anew once it has been moved away.
public struct StreamFile: Hashable, Sendable {
  /// Where it was at first.
  public let path: String
  private let descriptor: Int32

  /// nil for a stream that leads to no regular file.
  public init?(of descriptor: Int32) {
    guard fileSize(descriptor) != nil, let path = try? linkTarget("/proc/self/fd/\(descriptor)"),
      isFile(descriptor, at: path)
    else { return nil }
    (self.path, self.descriptor) = (path, descriptor)
  }

  /// Makes the file anew where another has taken its place, or none, and sends the stream there.
  ///
  /// - Returns: Whether that was needed.
  public func reopen() throws(DistrustedPath) -> Bool {
    guard !isFile(descriptor, at: path) else { return false }
    let place = try FilePlace(path)
    try at(path) { () throws(PosixError) in
      // It had no links on its way.
      guard place.path == path else { throw PosixError(call: "open", code: ELOOP) }
    }
    let mode = try at(path) { () throws(PosixError) in try FileFacts(of: descriptor).mode }
    let fresh = try place.writing(appending: true, mode: mode & 0o666)
    try at(path) { () throws(PosixError) in
      guard dup2(fresh.number, descriptor) >= 0 else { throw PosixError(call: "dup2") }
    }
    return true
  }
}
