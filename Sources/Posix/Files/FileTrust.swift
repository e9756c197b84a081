internal import CPosix

/// A file or directory that another user could have planted or could change.
public struct DistrustedPath: Error, Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    case foreign(owner: UInt32)
    case writableByOthers(mode: UInt32)
    /// It holds a secret.
    case readableByOthers(mode: UInt32)
    case wrongKind
    case tooManyLinks
    case missing
    case failed(PosixError)
  }

  public var path: String
  public var reason: Reason

  public init(_ path: String, _ reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }

  /// One line for people: what is wrong with which path, and what to do.
  public var message: String {
    switch reason {
    case .foreign(let owner):
      "\(path) belongs to user \(owner), who could change what is there; give it to this user with chown, choose another place, or remove it if it should not be there"
    case .writableByOthers(let mode):
      "\(path) can be changed by other users (mode \(octal(mode))); run chmod go-w on it, or choose another place"
    case .readableByOthers(let mode):
      "\(path) holds a secret that other users can read (mode \(octal(mode))); run chmod 600 on it"
    case .wrongKind: "\(path) is not what is expected there; choose another place"
    case .tooManyLinks: "\(path) leads through too many links; choose another place"
    case .missing: "\(path) does not exist"
    case .failed(let error): "\(path): \(error.message); choose a place that this user may use"
    }
  }

  /// What is wrong, for a line that names the path already.
  public var words: String {
    if case .failed(let error) = reason { return error.message }
    return message
  }

  private func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}

/// Whose files this process takes as they are: its own user's, root's, and those of the owner of `/`.
///
/// The last one is root too, but in a user namespace without root: there it has another number.
public struct FileTrust: Hashable, Sendable {
  private let user: UInt32
  private let trusted: Set<UInt32>

  init(user: UInt32, ownerOfRoot: UInt32 = 0) {
    self.user = user
    trusted = [user, 0, ownerOfRoot]
  }

  /// Of this process.
  static var own: FileTrust {
    FileTrust(user: geteuid(), ownerOfRoot: (try? FileFacts(at: "/"))?.owner ?? 0)
  }

  func isTrusted(_ owner: UInt32) -> Bool { trusted.contains(owner) }

  /// A directory on the way to a file. In a sticky one, others can add files and change none of ours.
  func fault(onTheWay facts: FileFacts) -> DistrustedPath.Reason? {
    guard trusted.contains(facts.owner) else { return .foreign(owner: facts.owner) }
    switch facts.kind {
    case .link: return nil
    case .directory:
      return facts.isWritableByOthers && !facts.isSticky ? .writableByOthers(mode: facts.mode) : nil
    case .regular, .other: return .wrongKind
    }
  }

  /// A directory that only its owner and root may add files to.
  func fault(ofPrivate facts: FileFacts) -> DistrustedPath.Reason? {
    if let fault = fault(onTheWay: facts) { return fault }
    return facts.isWritableByOthers ? .writableByOthers(mode: facts.mode) : nil
  }

  /// A file whose content is believed.
  func fault(ofFile facts: FileFacts) -> DistrustedPath.Reason? {
    guard trusted.contains(facts.owner) else { return .foreign(owner: facts.owner) }
    guard facts.kind == .regular else { return .wrongKind }
    return facts.isWritableByOthers ? .writableByOthers(mode: facts.mode) : nil
  }

  /// A file or pipe with a secret. Who gives one that belongs to root to a group means that.
  func fault(ofSecret facts: FileFacts) -> DistrustedPath.Reason? {
    guard trusted.contains(facts.owner) else { return .foreign(owner: facts.owner) }
    if facts.kind == .directory { return .wrongKind }
    if facts.isWritableByOthers { return .writableByOthers(mode: facts.mode) }
    return facts.owner == user && facts.mode & 0o044 != 0 ? .readableByOthers(mode: facts.mode) : nil
  }
}

/// What a call does at a path, with its error as one about that path.
func at<Result>(
  _ path: String, _ body: () throws(PosixError) -> Result
) throws(DistrustedPath) -> Result {
  do {
    return try body()
  } catch {
    throw DistrustedPath(path, .failed(error))
  }
}
