internal import CPosix

/// A lock file that one holder at a time has. The kernel frees it with the process, however that ends.
public final class FileClaim: Sendable {
  public enum Refusal: Error, Hashable, Sendable {
    /// Another process holds it; `process` is the id in the file.
    case held(process: Int32?)
    case failed(PosixError)
    /// Another user made it.
    case distrusted(DistrustedPath)

    fileprivate init(_ error: any Error) {
      self = error as? Refusal ?? .failed(error as? PosixError ?? PosixError(call: "open", code: EIO))
    }
  }

  private let path: String
  private let descriptor: Lock<Descriptor>

  /// Takes the file at once or not at all, and writes this process's id into it where the disk has room for that.
  public init(path: String) throws(Refusal) {
    self.path = path
    do {
      let file = try Self.lock(path)
      try Self.note(getpid(), in: file)
      descriptor = Lock(file)
    } catch {
      throw Refusal(error)
    }
  }

  deinit {
    // While it is still locked: a process that opened it before sees that the path leads elsewhere and tries again.
    // What another process has there by now stays.
    descriptor.withLock { if $0.isFile(at: path) { _ = removeFile(path: path) } }
  }

  /// Makes the file again when something, such as a cleaner of temporary files, has removed it.
  ///
  /// - Returns: False when it is there, or another process has one there by now.
  public func makeAgain() -> Bool {
    descriptor.withLock { held in
      guard !held.isFile(at: path), (try? FileFacts(at: path) == nil) ?? false,
        let anew = try? Self.lock(path)
      else { return false }
      try? Self.note(getpid(), in: anew)
      held = anew
      return true
    }
  }

  /// Writes over an earlier id, because a full disk has no room for a new block. The lock holds without the id too.
  static func note(_ process: Int32, in descriptor: Descriptor) throws(PosixError) {
    let line = Array("\(process)\n".utf8)
    do throws(PosixError) {
      try descriptor.writeAll(line)
    } catch {
      guard error.isNoRoom else { throw error }
      // An earlier id must not pass for this one.
      if let size = descriptor.size, size > 0 { try descriptor.cut(to: 0) }
      return
    }
    // Readers stop at the end of the line.
    try? descriptor.cut(to: line.count)
  }

  private static let mostLooks = 50
  private static let lookMilliseconds: Int32 = 2

  private static func lock(_ path: String) throws -> Descriptor {
    var looks = 0
    while true {
      let descriptor = try unsafe Descriptor(owning: cposix_open_lock_file(path), from: "open")
      if let fault = FileTrust.own.fault(ofFile: try descriptor.facts) {
        throw Refusal.distrusted(DistrustedPath(path, fault))
      }
      guard cposix_lock_now(descriptor.number) == 0 else {
        let error = PosixError(call: "flock")
        switch error.code {
        case EINTR: continue
        case EWOULDBLOCK:
          let process = holder(of: descriptor)
          guard process.map(processExists) != true, looks < mostLooks else {
            throw Refusal.held(process: process)
          }
          // Most likely somebody only looks who holds it.
          looks += 1
          _ = cposix_wait(-1, 0, -1, lookMilliseconds)
          continue
        default: throw error
        }
      }
      if descriptor.isFile(at: path) { return descriptor }
    }
  }

  /// The process that holds the file; nil when none does.
  public static func holder(path: String) throws(Refusal) -> Int32? {
    do {
      let descriptor = try Descriptor.readingPlain(path: path)
      if let fault = FileTrust.own.fault(ofFile: try descriptor.facts) {
        throw Refusal.distrusted(DistrustedPath(path, fault))
      }
      guard cposix_share_lock_now(descriptor.number) != 0 else { return nil }
      let error = PosixError(call: "flock")
      guard error.code == EWOULDBLOCK else { throw error }
      guard let process = holder(of: descriptor) else { throw Refusal.held(process: nil) }
      return process
    } catch let error as PosixError where error.code == ENOENT {
      return nil
    } catch {
      throw Refusal(error)
    }
  }

  private static func holder(of descriptor: Descriptor) -> Int32? {
    guard let text = try? descriptor.readChunk(limit: 32) else { return nil }
    let noted = Int32(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self))
    return noted ?? KernelLocks.holder(of: descriptor)
  }
}

/// Makes a directory that only its owner can enter; one that is there already stays as it is.
public func makePrivateDirectory(path: String) throws(PosixError) {
  try unsafe unlessThere(cposix_make_private_directory(path), "mkdir")
}

/// Makes a directory with the mode that `umask` leaves, unless it is there.
public func makeDirectory(path: String) throws(PosixError) {
  try unsafe unlessThere(mkdir(path, 0o777), "mkdir")
}

/// What the kernel says of locks. It knows the holder of a lock file that says nothing, as on a full disk.
enum KernelLocks {
  private static let path = "/proc/locks"

  /// The process that has an open file for itself alone; nil when the system does not tell.
  static func holder(of descriptor: Descriptor) -> Int32? {
    guard let file = name(of: descriptor), let text = try? Descriptor.reading(path: path).readAll() else {
      return nil
    }
    return holder(of: file, in: String(decoding: text, as: UTF8.self))
  }

  /// - Parameters:
  ///   - file: Its device and number, such as `fe:00:16236939`.
  ///   - text: Lines such as `7: FLOCK  ADVISORY  WRITE 20874 fe:00:16236939 0 EOF`.
  static func holder(of file: String, in text: String) -> Int32? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      // A process that only waits for a lock has an arrow as its second word.
      guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE", words[5] == file else { continue }
      // One outside this process's namespace has no id.
      return Int32(words[4]).flatMap { $0 > 0 ? $0 : nil }
    }
    return nil
  }

  private static func name(of descriptor: Descriptor) -> String? {
    unsafe writtenText(room: 64) { unsafe cposix_lock_name(descriptor.number, $0, $1) > 0 }
  }
}
