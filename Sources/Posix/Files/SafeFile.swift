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
