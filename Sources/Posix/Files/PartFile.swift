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

  private let part: FilePlace
  private let target: FilePlace
  private let descriptor: Descriptor

  /// Takes the part beside `path` and empties it. It is the owner's alone until it has the mode of the file there.
  public convenience init(beside path: String) throws(Refusal) {
    try self.init(beside: path) { $0.remove() }
  }

  /// - Parameter remove: Deletes what an interrupted run left; false when that is not possible.
  init(beside path: String, removing remove: (FilePlace) -> Bool) throws(Refusal) {
    do throws(DistrustedPath) {
      target = try FilePlace(path)
    } catch {
      if case .failed = error.reason { throw .notReplaceable }
      throw .distrusted(error)
    }
    part = target.beside(".part")
    let kind = unsafe cposix_is_replaceable(target.directory.number, target.name)
    guard kind >= 0, !target.isOpenAlready else { throw .notReplaceable }
    descriptor = try Self.claimed(part, isSecret: kind == 1, removing: remove)
    if kind == 1 {
      _ = unsafe cposix_copy_mode(descriptor.number, target.directory.number, target.name)
    }
  }

  /// Where its bytes are meanwhile.
  public var path: String { part.path }

  /// Where the part of a file is, whether or not there is one.
  public static func path(beside path: String) -> String {
    "\((try? FilePlace(path))?.path ?? path).part"
  }

  public func writeAll(_ bytes: [UInt8]) throws(PosixError) {
    try descriptor.writeAll(bytes)
  }

  /// Whether nothing was written.
  public var isEmpty: Bool { descriptor.size == 0 }

  /// Puts it where it belongs, in one step.
  public func takePlace() throws(PosixError) {
    try descriptor.synchronize()
    let (from, to) = (part.directory.number, target.directory.number)
    guard unsafe renameat(from, part.name, to, target.name) == 0 else { throw PosixError(call: "rename") }
  }

  public func remove() {
    _ = part.remove()
  }

  /// A new file, in place of one that an interrupted run of this user left behind: who opened that one sees nothing.
  private static func claimed(
    _ part: FilePlace, isSecret: Bool, removing remove: (FilePlace) -> Bool
  ) throws(Refusal) -> Descriptor {
    while true {
      if let made = try created(part, isSecret: isSecret) {
        try lock(made)
        if part.holds(made) { return made }
        continue
      }
      guard let left = try opened(part) else { continue }
      try lock(left)
      // While it is locked, no other run removes it.
      guard !part.holds(left) || remove(part) || !part.holds(left) else { throw .notReplaceable }
    }
  }

  /// nil when there is one already.
  private static func created(_ part: FilePlace, isSecret: Bool) throws(Refusal) -> Descriptor? {
    do throws(PosixError) {
      return try unsafe Descriptor(
        owning: cposix_create_part(part.directory.number, part.name, isSecret ? 1 : 0), from: "open")
    } catch {
      guard error.isFileThere else { throw .notReplaceable }
      return nil
    }
  }

  /// nil when there is none any more.
  private static func opened(_ part: FilePlace) throws(Refusal) -> Descriptor? {
    guard let facts = part.facts else { return nil }
    guard facts.owner == geteuid() else {
      throw .distrusted(DistrustedPath(part.path, .foreign(owner: facts.owner)))
    }
    guard facts.kind == .regular else { throw .distrusted(DistrustedPath(part.path, .wrongKind)) }
    do throws(PosixError) {
      return try unsafe Descriptor(
        owning: cposix_open_part(part.directory.number, part.name), from: "open")
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
