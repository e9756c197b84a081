internal import CPosix

/// Where a path leads: a directory that is held open, and a name in it. What is done there cannot be sent elsewhere by
/// another user who puts a link on the way meanwhile.
///
/// Links are followed once, each as it was opened. One that another user made is refused: it is no name for a file that
/// it leads to.
public struct FilePlace: Sendable {
  let directory: Descriptor
  public let name: String
  /// Without links, for people and for what takes no descriptor.
  public let path: String
  /// Below `/proc`, where links lead to what is open already.
  let isOpenAlready: Bool

  private static let mostLinks = 40

  /// - Throws: `failed` when a directory on the way is missing or may not be entered.
  public init(_ path: String) throws(DistrustedPath) {
    let trust = FileTrust.own
    var walk = try at(path) { () throws(PosixError) in try Walk(path) }
    var links = 0
    while let name = walk.rest.popLast() {
      let found = try at(path) { () throws(PosixError) in try walk.look(at: name) }
      let next = "\(walk.real)/\(name)"
      guard let found, found.facts.kind == .link, name != ".." else {
        if walk.rest.isEmpty, name != ".." {
          self.init(walk.directory, String(name), next, isOpenAlready: false)
          return
        }
        try at(path) { () throws(PosixError) in try walk.enter(found?.descriptor, name) }
        continue
      }
      guard trust.isTrusted(found.facts.owner) else {
        throw DistrustedPath(next, .foreign(owner: found.facts.owner))
      }
      links += 1
      guard links <= Self.mostLinks else { throw DistrustedPath(path, .tooManyLinks) }
      if walk.real.hasPrefix("/proc/") {
        if walk.rest.isEmpty {
          self.init(walk.directory, String(name), next, isOpenAlready: true)
          return
        }
        try at(path) { () throws(PosixError) in try walk.enterOpen(name) }
        continue
      }
      try at(path) { () throws(PosixError) in try walk.follow(found.descriptor) }
    }
    self.init(walk.directory, ".", walk.real.isEmpty ? "/" : walk.real, isOpenAlready: false)
  }

  private init(_ directory: Descriptor, _ name: String, _ path: String, isOpenAlready: Bool) {
    (self.directory, self.name, self.path) = (directory, name, path)
    self.isOpenAlready = isOpenAlready
  }

  /// A file beside it, whose name ends in a suffix.
  func beside(_ suffix: String) -> FilePlace {
    FilePlace(directory, name + suffix, path + suffix, isOpenAlready: false)
  }
}

/// How far a path was followed.
private struct Walk {
  var directory: Descriptor
  /// Of the directory, without links; empty for the root.
  var real: String
  /// The names still to come, the last one first.
  var rest: [Substring]

  init(_ path: String) throws(PosixError) {
    let isAbsolute = path.hasPrefix("/")
    directory = try Self.start(isAbsolute ? "/" : ".")
    real = isAbsolute ? "" : absolutePath(".")
    if real == "/" { real = "" }
    rest = Self.names(path)
  }

  /// What has that name; nil when nothing has.
  func look(at name: Substring) throws(PosixError) -> (descriptor: Descriptor, facts: FileFacts)? {
    do throws(PosixError) {
      let descriptor = try Self.found(String(name), in: directory)
      return (descriptor, try descriptor.facts)
    } catch {
      guard error.code == ENOENT, rest.isEmpty else { throw error }
      return nil
    }
  }

  mutating func enter(_ next: Descriptor?, _ name: Substring) throws(PosixError) {
    guard let next else { throw PosixError(call: "open", code: ENOENT) }
    directory = next
    real = name == ".." ? real.lastIndex(of: "/").map { String(real[..<$0]) } ?? "" : "\(real)/\(name)"
  }

  mutating func enterOpen(_ name: Substring) throws(PosixError) {
    directory = try Self.found(String(name), in: directory, following: true)
    real = "\(real)/\(name)"
  }

  /// Goes on where a link leads.
  mutating func follow(_ link: Descriptor) throws(PosixError) {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlinkat(link.number, "", &buffer, buffer.count)
    guard count >= 0 else { throw PosixError(call: "readlink") }
    let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    if target.hasPrefix("/") { (directory, real) = (try Self.start("/"), "") }
    rest += Self.names(target)
  }

  private static func start(_ path: String) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_find_start(path), from: "open")
  }

  private static func found(
    _ name: String, in directory: Descriptor, following: Bool = false
  ) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_find(directory.number, name, following ? 1 : 0), from: "open")
  }

  private static func names(_ path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }.reversed()
  }
}

/// What is done there.
extension FilePlace {
  /// Of what is there, be it a link; nil when nothing is.
  var facts: FileFacts? { FileFacts(of: name, in: directory) }

  /// Opens what is there for reading, without waiting for a writer where it is a pipe.
  func reading() throws(PosixError) -> Descriptor {
    try unsafe Descriptor(
      owning: cposix_open_found(directory.number, name, isOpenAlready ? 1 : 0), from: "open")
  }

  /// Opens what is there for writing, and empties it if it is a file; makes one where nothing is.
  ///
  /// In a directory where everybody may add files, what another user added is refused.
  public func writing() throws(DistrustedPath) -> Descriptor {
    if isOpenAlready { return try at(path) { () throws(PosixError) in try Descriptor.writing(path: path) } }
    // A pipe is not waited for before it is known to be ours.
    if let facts { try check(planted: facts) }
    let file = try at(path) { () throws(PosixError) in
      try unsafe Descriptor(owning: cposix_write_found(directory.number, name), from: "open")
    }
    let facts = try at(path) { () throws(PosixError) in try file.facts }
    try check(planted: facts)
    guard facts.kind == .regular, ftruncate(file.number, 0) != 0 else { return file }
    throw DistrustedPath(path, .failed(PosixError(call: "ftruncate")))
  }

  private func check(planted facts: FileFacts) throws(DistrustedPath) {
    guard !FileTrust.own.isTrusted(facts.owner) else { return }
    let around = try at(path) { () throws(PosixError) in try directory.facts }
    if around.isSharedByAll { throw DistrustedPath(path, .foreign(owner: facts.owner)) }
  }

  /// Makes a file that only its owner can read; one that is there stays as it is, which is an error.
  func creatingSecret() throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_create_secret_in(directory.number, name), from: "open")
  }

  /// False when that was not possible.
  func remove() -> Bool { unsafe unlinkat(directory.number, name, 0) == 0 }

  /// Whether a descriptor leads to what is there.
  func holds(_ file: Descriptor) -> Bool {
    unsafe cposix_is_file_in(file.number, directory.number, name) != 0
  }
}
