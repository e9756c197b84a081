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
  let descriptor: Descriptor
  /// What a run tells one that goes on with its part; nil when no run does.
  let note: Descriptor?

  /// Takes the part beside `path` and empties it. It is the owner's alone until it has the mode of the file there.
  ///
  /// - Parameter goingOn: What an interrupted run left stays as it is, for `goOn(from:)` or `restart()`.
  public convenience init(beside path: String, goingOn: Bool = false) throws(Refusal) {
    try self.init(beside: path, goingOn: goingOn) { $0.remove() }
  }

  /// - Parameter remove: Deletes what an interrupted run left; false when that is not possible.
  init(
    beside path: String, goingOn: Bool = false, removing remove: (FilePlace) -> Bool
  ) throws(Refusal) {
    do throws(DistrustedPath) {
      target = try FilePlace(path)
    } catch {
      if case .failed = error.reason { throw .notReplaceable }
      throw .distrusted(error)
    }
    part = target.beside(".part")
    let kind = unsafe cposix_is_replaceable(target.directory.number, target.name)
    guard kind >= 0, !target.isOpenAlready else { throw .notReplaceable }
    let mode = goingOn ? target.facts?.mode : nil
    let (file, isLeft) = try Self.claimed(part, isSecret: kind == 1, removing: remove) { left in
      goingOn && !left.hasOtherNames && (mode == nil || mode == (try? left.facts.mode))
    }
    descriptor = file
    note = goingOn ? try Self.note(part.beside(Self.noteSuffix)) : nil
    if !goingOn { removeNote() }
    if kind == 1 {
      _ = unsafe cposix_copy_mode(descriptor.number, target.directory.number, target.name)
    }
    guard !isLeft else { return }
    do throws(PosixError) { try restart() } catch { throw .notReplaceable }
  }

  private static let noteSuffix = ".place"

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
    removeNote()
  }

  public func remove() {
    _ = part.remove()
    removeNote()
  }

  /// After its part, because a note without one is not read.
  private func removeNote() {
    _ = part.beside(Self.noteSuffix).remove()
  }

  /// A new file, in place of one that an interrupted run of this user left behind: who opened that one sees nothing.
  ///
  /// - Parameter keep: Whether what was left is kept.
  private static func claimed(
    _ part: FilePlace, isSecret: Bool, removing remove: (FilePlace) -> Bool, unless keep: (Descriptor) -> Bool
  ) throws(Refusal) -> (file: Descriptor, isLeft: Bool) {
    while true {
      if let made = try created(part, isSecret: isSecret) {
        try lock(made)
        if part.holds(made) { return (made, false) }
        continue
      }
      guard let left = try opened(part) else { continue }
      try lock(left)
      if keep(left), part.holds(left) { return (left, true) }
      // While it is locked, no other run removes it.
      guard !part.holds(left) || remove(part) || !part.holds(left) else { throw .notReplaceable }
    }
  }

  private static func note(_ place: FilePlace) throws(Refusal) -> Descriptor {
    while true {
      if let made = try created(place, isSecret: true) { return made }
      guard let left = try opened(place) else { continue }
      guard left.hasOtherNames else { return left }
      guard place.remove() || !place.holds(left) else { throw .notReplaceable }
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

/// A part that is gone on with after its writer was killed, and a note beside it that says how far the writer came.
extension PartFile {
  /// What the writer before noted last; empty when it noted nothing, and beside a new part.
  public var noted: [UInt8] {
    guard let note else { return [] }
    return (try? note.skip(to: 0)).flatMap { try? note.readChunk(limit: 4_096) } ?? []
  }

  /// Notes something in place of what was noted before. It has the same size each time, and is one block at most, so it is
  /// never there in part.
  public func note(_ bytes: [UInt8]) throws(PosixError) {
    try note?.skip(to: 0)
    try note?.writeAll(bytes)
  }

  /// Keeps so many bytes, and writes behind them.
  public func goOn(from bytes: Int) throws(PosixError) {
    try descriptor.cut(to: bytes)
    try descriptor.skip(to: bytes)
  }

  /// Keeps nothing.
  public func restart() throws(PosixError) {
    try note?.cut(to: 0)
    try goOn(from: 0)
  }

  /// Bytes that were written.
  public var size: Int { descriptor.size ?? 0 }
}
