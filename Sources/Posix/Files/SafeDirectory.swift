internal import CPosix

/// A directory that no other user can have planted, and to which none can add a file: each directory on the way
/// belongs to this user or to root, and others can change none of them.
///
/// The check goes from the root down, so that no other user can replace what was already checked.
public struct SafeDirectory: Hashable, Sendable {
  /// Without links.
  public let path: String

  private enum Making {
    case nothing
    case last
    case all
  }

  private static let mostLinks = 40

  /// Checks a directory that is there.
  public init(checking path: String) throws(DistrustedPath) {
    try self.init(path, making: .nothing)
  }

  /// Makes what is missing on the way; only its owner can enter that.
  public init(making path: String) throws(DistrustedPath) {
    try self.init(path, making: .all)
  }

  /// Makes the directory when it is missing, and none of those above it.
  public init(makingLast path: String) throws(DistrustedPath) {
    try self.init(path, making: .last)
  }

  private init(_ path: String, making: Making) throws(DistrustedPath) {
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
