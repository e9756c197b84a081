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
    // As the system says of it: it is not the directory that relative paths begin in.
    guard !path.isEmpty else { throw PosixError(call: "open", code: ENOENT) }
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
    guard let target = unsafe writtenText({ unsafe readlinkat(link.number, "", $0, $1) >= 0 }) else {
      throw PosixError(call: "readlink")
    }
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
  ///
  /// - Parameter mode: Of a file that is made, less what `umask` takes.
  public func writing(appending: Bool = false, mode: UInt32 = 0o666) throws(DistrustedPath) -> Descriptor {
    if isOpenAlready {
      return try at(path) { () throws(PosixError) in
        try Descriptor.writing(path: path, appending: appending)
      }
    }
    for _ in 0..<Self.mostAttempts {
      guard let file = try opened(appending, mode) else { continue }
      let facts = try at(path) { () throws(PosixError) in try file.facts }
      try check(planted: facts)
      // A name that another user gave to a file of ours.
      if facts.kind == .regular, file.hasOtherNames, try isShared {
        throw DistrustedPath(path, .wrongKind)
      }
      guard !appending, facts.kind == .regular, ftruncate(file.number, 0) != 0 else { return file }
      throw DistrustedPath(path, .failed(PosixError(call: "ftruncate")))
    }
    throw DistrustedPath(path, .failed(PosixError(call: "open", code: EAGAIN)))
  }

  /// Somebody may make and remove what is there at the same time.
  private static let mostAttempts = 100

  /// nil when what is there changed meanwhile.
  private func opened(_ appending: Bool, _ mode: UInt32) throws(DistrustedPath) -> Descriptor? {
    let (number, added) = (directory.number, appending ? Int32(1) : 0)
    guard let facts else {
      return try Self.unless(EEXIST, path) { () throws(PosixError) in
        try unsafe Descriptor(owning: cposix_write_new(number, name, added, mode), from: "open")
      }
    }
    try check(planted: facts)
    // A pipe of ours has a reader some time; one that was put in the place of a file meanwhile is not waited for.
    let waits: Int32 = facts.kind == .other ? 1 : 0
    return try Self.unless(ENOENT, path) { () throws(PosixError) in
      try unsafe Descriptor(owning: cposix_write_found(number, name, added, waits), from: "open")
    }
  }

  private static func unless(
    _ code: Int32, _ path: String, _ open: () throws(PosixError) -> Descriptor
  ) throws(DistrustedPath) -> Descriptor? {
    do throws(PosixError) {
      return try open()
    } catch {
      if error.code == code { return nil }
      throw DistrustedPath(path, .failed(error))
    }
  }

  private var isShared: Bool {
    get throws(DistrustedPath) {
      try at(path) { () throws(PosixError) in try directory.facts.isSharedByAll }
    }
  }

  private func check(planted facts: FileFacts) throws(DistrustedPath) {
    if !FileTrust.own.isTrusted(facts.owner), try isShared {
      throw DistrustedPath(path, .foreign(owner: facts.owner))
    }
  }

  /// Makes a file that only its owner can read; one that is there stays as it is, which is an error.
  public func creatingSecret() throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_create_secret_in(directory.number, name), from: "open")
  }

  /// False when that was not possible.
  public func remove() -> Bool { unsafe unlinkat(directory.number, name, 0) == 0 }

  /// Puts a file of another name there, in place of what is there; false when that was not possible.
  public func take(file path: String) -> Bool {
    unsafe cposix_rename_into(path, directory.number, name) == 0
  }

  /// Whether a descriptor leads to what is there.
  func holds(_ file: Descriptor) -> Bool {
    unsafe cposix_is_file_in(file.number, directory.number, name) != 0
  }
}
