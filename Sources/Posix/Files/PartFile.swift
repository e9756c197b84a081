internal import CPosix

/// A file that is written beside another one and takes its place when it is whole; until then the other one stays as
/// it was. A process that is killed leaves it behind.
public final class PartFile: Sendable {
  public enum Refusal: Error, Hashable, Sendable {
    /// Another process writes it.
    case held
    /// What is there is no regular file of one name, or has no room beside it: it can only be written itself.
    case notReplaceable
    /// Another user made the part, or a link on the way to the file.
    case distrusted(DistrustedPath)
  }

  /// Where its bytes are meanwhile.
  public let path: String
  private let target: String
  private let descriptor: Descriptor

  /// Takes the part beside `path` and empties it. It is the owner's alone until it has the mode of the file there.
  public convenience init(beside path: String) throws(Refusal) {
    try self.init(beside: path, removing: removeFile(path:))
  }

  /// - Parameter remove: Deletes what an interrupted run left; false when that is not possible.
  init(beside path: String, removing remove: (String) -> Bool) throws(Refusal) {
    do throws(DistrustedPath) {
      try SafeFile.checkLinks(path)
    } catch {
      throw .distrusted(error)
    }
    target = resolvedPath(path)
    self.path = Self.path(beside: path)
    let kind = unsafe cposix_is_replaceable(target)
    guard kind >= 0, !Self.isStream(path) else { throw .notReplaceable }
    descriptor = try Self.claimed(self.path, isSecret: kind == 1, removing: remove)
    if kind == 1 { _ = unsafe cposix_copy_mode(descriptor.number, target) }
  }

  /// Where the part of a file is, whether or not there is one.
  public static func path(beside path: String) -> String { "\(resolvedPath(path)).part" }

  public func writeAll(_ bytes: [UInt8]) throws(PosixError) {
    try descriptor.writeAll(bytes)
  }

  /// Whether nothing was written.
  public var isEmpty: Bool { descriptor.size == 0 }

  /// Puts it where it belongs, in one step.
  public func takePlace() throws(PosixError) {
    try descriptor.synchronize()
    guard unsafe rename(path, target) == 0 else { throw PosixError(call: "rename") }
  }

  public func remove() {
    _ = removeFile(path: path)
  }

  /// Names of what is open already, which lead to files that are not ours to replace.
  private static func isStream(_ path: String) -> Bool {
    ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
  }

  /// A new file, in place of one that an interrupted run of this user left behind: who opened that one sees nothing.
  private static func claimed(
    _ path: String, isSecret: Bool, removing remove: (String) -> Bool
  ) throws(Refusal) -> Descriptor {
    while true {
      if let made = try created(path, isSecret: isSecret) {
        try lock(made)
        if made.isFile(at: path) { return made }
        continue
      }
      guard let left = try opened(path) else { continue }
      try lock(left)
      // While it is locked, no other run removes it.
      guard !left.isFile(at: path) || remove(path) || !left.isFile(at: path) else { throw .notReplaceable }
    }
  }

  /// nil when there is one already.
  private static func created(_ path: String, isSecret: Bool) throws(Refusal) -> Descriptor? {
    do throws(PosixError) {
      return try unsafe Descriptor(owning: cposix_create_part(path, isSecret ? 1 : 0), from: "open")
    } catch {
      guard error.isFileThere else { throw .notReplaceable }
      return nil
    }
  }

  /// nil when there is none any more.
  private static func opened(_ path: String) throws(Refusal) -> Descriptor? {
    guard let facts = try? FileFacts(at: path) else { return nil }
    guard facts.owner == geteuid() else {
      throw .distrusted(DistrustedPath(path, .foreign(owner: facts.owner)))
    }
    guard facts.kind == .regular else { throw .distrusted(DistrustedPath(path, .wrongKind)) }
    do throws(PosixError) {
      return try unsafe Descriptor(owning: cposix_open_part(path), from: "open")
    } catch {
      if error.code == ENOENT { return nil }
      throw .notReplaceable
    }
  }

  private static func lock(_ descriptor: Descriptor) throws(Refusal) {
    while cposix_lock_now(descriptor.number) != 0 {
      switch PosixError(call: "flock").code {
      case EINTR: continue
      case EWOULDBLOCK: throw .held
      default: throw .notReplaceable
      }
    }
  }
}
