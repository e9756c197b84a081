internal import CPosix

/// What the system tells about a file, without following a link.
public struct FileFacts: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case directory
    case regular
    case link
    /// A pipe, a socket, a device.
    case other
  }

  public var kind: Kind
  /// The id of the user it belongs to.
  public var owner: UInt32
  /// Permissions and the sticky bit, such as 0o1777.
  public var mode: UInt32

  var isWritableByOthers: Bool { mode & 0o022 != 0 }
  var isSticky: Bool { mode & 0o1000 != 0 }
  /// A directory where everybody may add files.
  var isSharedByAll: Bool { mode & 0o1002 != 0 }
}

extension FileFacts {
  /// Of what is at a path; nil when nothing is.
  public init?(at path: String) throws(PosixError) {
    guard let facts = Self({ unsafe cposix_facts_at(path, &$0, &$1, &$2) }) else {
      let error = PosixError(call: "lstat")
      if error.code == ENOENT { return nil }
      throw error
    }
    self = facts
  }

  /// Of what has a name in an open directory; nil when nothing has.
  init?(of name: String, in directory: Descriptor) {
    self.init { unsafe cposix_facts_in(directory.number, name, &$0, &$1, &$2) }
  }

  /// Of what a descriptor leads to.
  init(of descriptor: Int32) throws(PosixError) {
    guard let facts = Self({ unsafe cposix_facts_of(descriptor, &$0, &$1, &$2) }) else {
      throw PosixError(call: "fstat")
    }
    self = facts
  }

  /// nil when the call fails, which is to tell kind, owner and mode.
  private init?(_ call: (inout UInt32, inout UInt32, inout UInt32) -> CInt) {
    var (kind, owner, mode): (UInt32, UInt32, UInt32) = (0, 0, 0)
    guard call(&kind, &owner, &mode) == 0 else { return nil }
    self.init(
      kind: kind == 1 ? .directory : kind == 2 ? .regular : kind == 3 ? .link : .other, owner: owner,
      mode: mode)
  }
}

extension Descriptor {
  /// What it leads to.
  public var facts: FileFacts {
    get throws(PosixError) { try FileFacts(of: number) }
  }

  /// Whether the file has more names than one, which another user may have given it.
  var hasOtherNames: Bool { cposix_has_other_names(number) != 0 }

  /// Opens a file for reading that is no link, without waiting for a writer where it is a pipe.
  static func readingPlain(path: String) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_open_plain(path), from: "open")
  }
}

/// Where a link leads, as it is written in it.
public func linkTarget(_ path: String) throws(PosixError) -> String {
  guard let target = unsafe writtenText({ unsafe readlink(path, $0, $1) >= 0 }) else {
    throw PosixError(call: "readlink")
  }
  return target
}

/// Tells a file apart from another one that took its path.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Of the file that a path leads to; nil when there is none.
  public init?(at path: String) {
    var (device, inode): (UInt64, UInt64) = (0, 0)
    guard unsafe cposix_file_identity(path, &device, &inode) == 0 else { return nil }
    (self.device, self.inode) = (device, inode)
  }
}
