internal import CPosix

/// Files that a user names, and that no other user may have made.
public enum SafeFile {
  private static let mostLinks = 40

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
  public static func prepare(
    path: String, suffixes: [String] = [], making made: [String] = []
  ) throws(DistrustedPath) {
    let trust = FileTrust.own
    try checkLinks(path, trust)
    try make(path)
    let place = resolvedPath(path)
    // Where that cannot be done, what is there is looked at all the same.
    for suffix in made { try? make(place + suffix) }
    for file in [place] + suffixes.map({ place + $0 }) {
      guard let facts = try? FileFacts(at: file) else { continue }
      // Files that are made beside one that others can change have its mode: the first one is to blame.
      if let fault = trust.fault(ofFile: facts) { throw DistrustedPath(file, fault) }
    }
  }

  private static func make(_ path: String) throws(DistrustedPath) {
    do throws(PosixError) {
      _ = try Descriptor.creatingSecret(path: path)
    } catch {
      if !error.isFileThere { throw DistrustedPath(path, .failed(error)) }
    }
  }

  /// Finds that a file that was just opened, and that stands beside another one, is not ours: where others can add files,
  /// one of them may have been quicker.
  public static func check(beside path: String, suffix: String) throws(DistrustedPath) {
    let file = resolvedPath(path) + suffix
    guard let facts = try at(file, { () throws(PosixError) in try FileFacts(at: file) }) else {
      throw DistrustedPath(file, .missing)
    }
    if let fault = FileTrust.own.fault(ofFile: facts) { throw DistrustedPath(file, fault) }
  }

  public static func remove(beside path: String, suffix: String) {
    _ = removeFile(path: resolvedPath(path) + suffix)
  }

  /// Refuses links of other users: a link that leads from a shared directory to a file of ours is no name for it.
  static func checkLinks(_ path: String, _ trust: FileTrust = .own) throws(DistrustedPath) {
    var next = path
    for _ in 0..<mostLinks {
      guard let facts = try? FileFacts(at: next), facts.kind == .link else { return }
      guard trust.isTrusted(facts.owner) else { throw DistrustedPath(next, .foreign(owner: facts.owner)) }
      guard let target = try? linkTarget(next) else { return }
      let directory = next.lastIndex(of: "/").map { next[...$0] } ?? ""
      next = target.hasPrefix("/") ? target : directory + target
    }
    throw DistrustedPath(path, .tooManyLinks)
  }

  private static func reading(
    _ path: String, _ fault: (FileFacts) -> DistrustedPath.Reason?
  ) throws(DistrustedPath) -> Descriptor {
    try checkLinks(path)
    let descriptor = try at(path) { () throws(PosixError) in
      try Descriptor.readingPlain(path: path, following: true)
    }
    if let fault = fault(try at(path) { () throws(PosixError) in try descriptor.facts }) {
      throw DistrustedPath(path, fault)
    }
    return descriptor
  }
}
