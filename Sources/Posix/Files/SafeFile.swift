internal import CPosix

/// Files that a user names, and that no other user may have made.
public enum SafeFile {
  /// Opens a file or pipe with a secret, which no other user may read.
  public static func readingSecret(path: String) throws(DistrustedPath) -> Descriptor {
    try reading(path) { FileTrust.own.fault(ofSecret: $0) }
  }

  /// Opens a file whose content is trusted, but not secret.
  public static func readingTrusted(path: String) throws(DistrustedPath) -> Descriptor {
    try reading(path) { facts in
      var facts = facts
      if facts.kind == .other { facts.kind = .regular }
      return FileTrust.own.fault(ofFile: facts)
    }
  }

  /// Makes a file that only its owner can read, unless it is there. One that is there keeps its mode, and must be a
  /// regular file of this user or of root, as must the files that stand beside it.
  ///
  /// - Parameters:
  ///   - suffixes: What the names of the files beside it end in.
  ///   - made: Those that are made too, because another user who may add files could make them first.
  /// - Returns: The file's path without links.
  @discardableResult
  public static func prepare(
    path: String, suffixes: [String] = [], making made: [String] = []
  ) throws(DistrustedPath) -> String {
    let trust = FileTrust.own
    let place = try FilePlace(path)
    try make(place)
    // Where that cannot be done, what is there is looked at all the same.
    for suffix in made { try? make(place.beside(suffix)) }
    for file in [place] + suffixes.map(place.beside) {
      guard let facts = file.facts else { continue }
      // Files that are made beside one that others can change have its mode: the first one is to blame.
      if let fault = trust.fault(ofFile: facts) { throw DistrustedPath(file.path, fault) }
    }
    return place.path
  }

  private static func make(_ place: FilePlace) throws(DistrustedPath) {
    do throws(PosixError) {
      _ = try place.creatingSecret()
    } catch {
      if !error.isFileThere { throw DistrustedPath(place.path, .failed(error)) }
    }
  }

  /// Finds that a file that was just opened, and that stands beside another one, is not ours: where others can add files,
  /// one of them may have been quicker.
  public static func check(beside path: String, suffix: String) throws(DistrustedPath) {
    let file = try FilePlace(path).beside(suffix)
    guard let facts = file.facts else { throw DistrustedPath(file.path, .missing) }
    if let fault = FileTrust.own.fault(ofFile: facts) { throw DistrustedPath(file.path, fault) }
  }

  public static func remove(beside path: String, suffix: String) {
    _ = (try? FilePlace(path))?.beside(suffix).remove()
  }

  private static func reading(
    _ path: String, _ fault: (FileFacts) -> DistrustedPath.Reason?
  ) throws(DistrustedPath) -> Descriptor {
    let place = try FilePlace(path)
    let descriptor = try at(path) { () throws(PosixError) in try place.reading() }
    if let fault = fault(try at(path) { () throws(PosixError) in try descriptor.facts }) {
      throw DistrustedPath(path, fault)
    }
    return descriptor
  }
}

/// A directory that no other user can have planted, and to which none can add a file: each directory on the way
/// belongs to this user or to root, and others can change none of them.
///
/// The check goes from the root down, so that no other user can replace what was already checked.
public struct SafeDirectory: Hashable, Sendable {
  /// Without links.
  public let path: String

  /// What is made when it is missing; only its owner can enter that.
  public enum Making: Sendable {
    case nothing
    /// The directory, and none of those above it.
    case last
    case all
  }

  private static let mostLinks = 40

  public init(_ path: String, making: Making) throws(DistrustedPath) {
    let trust = FileTrust.own
    var (real, links) = ("", 0)
    var rest = Self.names(absolutePath(path))
    while let name = rest.popLast() {
      if name == ".." {
        real = Self.parent(of: real)
        continue
      }
      let next = "\(real)/\(name)"
      let facts = try Self.facts(at: next, making: making == .all || making == .last && rest.isEmpty)
      if let fault = trust.fault(onTheWay: facts) { throw DistrustedPath(next, fault) }
      guard facts.kind == .link else {
        real = next
        continue
      }
      links += 1
      guard links <= Self.mostLinks else { throw DistrustedPath(path, .tooManyLinks) }
      let target = try Self.target(of: next)
      if target.hasPrefix("/") { real = "" }
      rest += Self.names(target)
    }
    let last = real.isEmpty ? "/" : real
    if let fault = trust.fault(ofPrivate: try Self.facts(at: last, making: false)) {
      throw DistrustedPath(last, fault)
    }
    self.path = last
  }

  /// Finds a file in it that another user made while that was still possible.
  public func checkContents() throws(DistrustedPath) {
    let trust = FileTrust.own
    for name in fileNames(in: path) {
      let file = "\(path)/\(name)"
      // A socket of another process may vanish meanwhile.
      guard let facts = try? FileFacts(at: file), !trust.isTrusted(facts.owner) else { continue }
      throw DistrustedPath(file, .foreign(owner: facts.owner))
    }
  }

  /// Opens a file in it whose content is believed; nil when there is none.
  public func reading(_ name: String) throws(DistrustedPath) -> Descriptor? {
    let file = "\(path)/\(name)"
    guard let found = try at(file, { () throws(PosixError) in try FileFacts(at: file) }) else { return nil }
    if found.kind == .link { throw DistrustedPath(file, .wrongKind) }
    return try trusted(file) { () throws(PosixError) in try Descriptor.readingPlain(path: file) }
  }

  /// Opens a file in it to add to, made for its owner alone if need be.
  public func appending(_ name: String) throws(DistrustedPath) -> Descriptor {
    let file = "\(path)/\(name)"
    return try trusted(file) { () throws(PosixError) in try Descriptor.appendingSecret(path: file) }
  }

  private func trusted(
    _ file: String, _ open: () throws(PosixError) -> Descriptor
  ) throws(DistrustedPath) -> Descriptor {
    let descriptor = try at(file, open)
    let facts = try at(file) { () throws(PosixError) in try descriptor.facts }
    if let fault = FileTrust.own.fault(ofFile: facts) { throw DistrustedPath(file, fault) }
    return descriptor
  }

  /// Makes a file in it that only its owner can read, in place of one of this name.
  public func replacing(_ name: String) throws(DistrustedPath) -> Descriptor {
    let file = "\(path)/\(name)"
    _ = removeFile(path: file)
    return try at(file) { () throws(PosixError) in try Descriptor.creatingSecret(path: file) }
  }

  /// Has a file in it with these bytes. One that has them already stays as it is, which needs no room on the disk.
  ///
  /// - Returns: False when the disk has no room for them; then there is no such file.
  public func keep(_ bytes: [UInt8], as name: String) throws -> Bool {
    if (try? reading(name)?.readChunk(limit: bytes.count + 1)) == bytes { return true }
    do {
      try replacing(name).writeAll(bytes)
      return true
    } catch let error where Self.isNoRoom(error) {
      _ = removeFile(path: "\(path)/\(name)")
      return false
    }
  }

  private static func isNoRoom(_ error: any Error) -> Bool {
    if case .failed(let cause)? = (error as? DistrustedPath)?.reason { return cause.isNoRoom }
    return (error as? PosixError)?.isNoRoom == true
  }

  private static func facts(at path: String, making: Bool) throws(DistrustedPath) -> FileFacts {
    let facts = try Posix.at(path) { () throws(PosixError) in
      if let facts = try FileFacts(at: path) { return Optional(facts) }
      guard making else { return nil }
      try makePrivateDirectory(path: path)
      return try FileFacts(at: path)
    }
    guard let facts else { throw DistrustedPath(path, .missing) }
    return facts
  }

  private static func target(of link: String) throws(DistrustedPath) -> String {
    try Posix.at(link) { () throws(PosixError) in try linkTarget(link) }
  }

  /// The last one first.
  private static func names(_ path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}

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

/// A value of the system's that may change at any time, read again when it is older than it may be.
///
/// It reads only when asked.
public final class Reread<Value: Sendable>: Sendable {
  private let state: Lock<(value: Value, readAt: Int64)>
  private let microseconds: Int64
  private let now: @Sendable () -> Int64
  private let read: @Sendable () -> Value?

  /// - Parameters:
  ///   - first: What holds until a value could be read.
  ///   - milliseconds: How old a value may be.
  ///   - now: Microseconds of a clock that never jumps.
  ///   - read: nil when the system does not tell, and then the last value stays.
  public init(
    _ first: Value, every milliseconds: Int64,
    now: @escaping @Sendable () -> Int64 = { SystemTime.monotonicMicroseconds },
    read: @escaping @Sendable () -> Value?
  ) {
    microseconds = milliseconds * 1_000
    (self.now, self.read) = (now, read)
    state = Lock((read() ?? first, now()))
  }

  /// Not older than it may be.
  public var value: Value {
    let time = now()
    let (known, readAt) = state.withLock { ($0.value, $0.readAt) }
    guard time - readAt >= microseconds else { return known }
    let fresh = read() ?? known
    state.withLock { $0 = (fresh, time) }
    return fresh
  }
}
