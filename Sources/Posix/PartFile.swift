internal import CPosix

/// A file that is written beside another one and takes its place when it is whole; until then the other one stays as
/// it was. Whoever goes without a word, as when killed, leaves it behind.
public final class PartFile: Sendable {
  public enum Refusal: Error, Hashable, Sendable {
    /// Another process writes it.
    case held
    /// What is there is no regular file of one name, or has no room beside it: it can only be written itself.
    case notReplaceable
  }

  /// Where its bytes are meanwhile.
  public let path: String
  private let target: String
  private let descriptor: Descriptor

  /// Takes the part beside `path` and empties it.
  public init(beside path: String) throws(Refusal) {
    target = Self.resolved(path)
    self.path = Self.path(beside: path)
    let kind = unsafe cposix_is_replaceable(target)
    guard kind >= 0, !Self.isStream(path) else { throw .notReplaceable }
    do throws(PosixError) {
      descriptor = try Self.claimed(self.path)
      guard ftruncate(descriptor.number, 0) == 0 else { throw PosixError(call: "ftruncate") }
    } catch {
      throw error.code == EWOULDBLOCK ? .held : .notReplaceable
    }
    if kind == 1 { _ = unsafe cposix_copy_mode(descriptor.number, target) }
  }

  /// Where the part of a file is, whether or not there is one.
  public static func path(beside path: String) -> String { "\(resolved(path)).part" }

  public func writeAll(_ bytes: [UInt8]) throws(PosixError) {
    try descriptor.writeAll(bytes)
  }

  /// Whether nothing was written.
  public var isEmpty: Bool { descriptor.size == 0 }

  /// Puts it where it belongs, in one step.
  public func takePlace() throws(PosixError) {
    guard fsync(descriptor.number) == 0 else { throw PosixError(call: "fsync") }
    guard unsafe rename(path, target) == 0 else { throw PosixError(call: "rename") }
  }

  public func remove() {
    _ = removeFile(path: path)
  }

  /// Names of what is open already, which lead to files that are not ours to replace.
  private static func isStream(_ path: String) -> Bool {
    ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
  }

  /// Where links lead.
  private static func resolved(_ path: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard unsafe realpath(path, &buffer) != nil else { return path }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func claimed(_ path: String) throws(PosixError) -> Descriptor {
    while true {
      let descriptor = try unsafe Descriptor(owning: cposix_open_part(path), from: "open")
      guard descriptor.size != nil else { throw PosixError(call: "open", code: EINVAL) }
      if cposix_lock_now(descriptor.number) != 0 {
        let error = PosixError(call: "flock")
        if error.code != EINTR { throw error }
      } else if descriptor.isFile(at: path) {
        return descriptor
      }
    }
  }
}
