internal import CPosix

/// A file descriptor that is closed when the last reference to it goes, so its number cannot be reused under a reader's feet.
public final class Descriptor: Sendable {
  /// Valid only while this object lives, so it stays inside: callers use the methods.
  let number: Int32

  /// Takes over a descriptor from a call that returns -1 on failure.
  init(owning number: Int32, from call: String) throws(PosixError) {
    guard number >= 0 else { throw PosixError(call: call) }
    self.number = number
  }

  /// One of the three that a process begins with. They live as long as it does.
  private init(standard number: Int32) { self.number = number }

  public static let standardInput = Descriptor(standard: 0)
  public static let standardOutput = Descriptor(standard: 1)
  public static let standardError = Descriptor(standard: 2)

  deinit { close(number) }

  /// A pipe: what is written into one end is read from the other.
  public static func pipe() throws(PosixError) -> (reading: Descriptor, writing: Descriptor) {
    var reading: Int32 = -1
    let writing = try unsafe Descriptor(owning: cposix_make_pipe(&reading), from: "pipe2")
    return (try Descriptor(owning: reading, from: "pipe2"), writing)
  }

  /// Opens a file for reading.
  public static func reading(path: String) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_open_reading(path), from: "open")
  }

  /// Makes a file that only its owner can read; one that is there already stays as it is, which is an error.
  public static func creatingSecret(path: String) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_create_secret(path), from: "open")
  }

  /// Opens a file to add to, never through a link; one that is missing is made for its owner alone.
  static func appendingSecret(path: String) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_open_appending_secret(path), from: "open")
  }

  /// Opens a file for writing, creating it if need be; it is emptied first unless `appending`.
  public static func writing(path: String, appending: Bool = false) throws(PosixError) -> Descriptor {
    try unsafe Descriptor(owning: cposix_open_writing(path, appending ? 1 : 0), from: "open")
  }
}

extension Descriptor {
  /// Reads what is there, waiting for at least one byte; empty at the end.
  public func readChunk(limit: Int = 65_536) throws(PosixError) -> [UInt8] {
    try Posix.readChunk(number, limit: limit)
  }

  /// Reads as far as the end, or somewhat more than `limit` bytes.
  public func readAll(limit: Int = .max) throws(PosixError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit, case let chunk = try readChunk(), !chunk.isEmpty { bytes += chunk }
    return bytes
  }

  /// Goes on reading so many bytes behind the start of the file.
  public func skip(to place: Int) throws(PosixError) {
    guard lseek(number, off_t(place), SEEK_SET) >= 0 else { throw PosixError(call: "lseek") }
  }

  /// Takes away what is behind so many bytes of the file.
  func cut(to bytes: Int) throws(PosixError) {
    guard ftruncate(number, off_t(bytes)) == 0 else { throw PosixError(call: "ftruncate") }
  }

  /// The size of the regular file it leads to, in bytes; nil for anything else.
  public var size: Int? { fileSize(number) }

  /// Whether it leads to a terminal.
  public var isTerminal: Bool { Posix.isTerminal(number) }

  /// Whether it leads to the regular file at a path.
  public func isFile(at path: String) -> Bool { Posix.isFile(number, at: path) }

  /// Takes so many bytes of the disk, as if they were written.
  public func allocate(_ bytes: Int64) throws(PosixError) {
    let code = posix_fallocate(number, 0, off_t(bytes))
    guard code == 0 else { throw PosixError(call: "posix_fallocate", code: code) }
  }

  /// Returns when all that was written is on the disk.
  public func synchronize() throws(PosixError) {
    guard fsync(number) == 0 else { throw PosixError(call: "fsync") }
  }

  /// Writes all bytes, however many calls that takes.
  public func writeAll(_ bytes: [UInt8]) throws(PosixError) {
    try Posix.writeAll(number, bytes)
  }
}

/// Raises how many descriptors this process may have, as far as the system allows.
///
/// - Returns: How many it may have now, which can be more or fewer than `wanted`; nil when the system does not tell.
public func raiseDescriptorLimit(to wanted: Int) -> Int? {
  let limit = cposix_raise_descriptor_limit(Int64(max(0, wanted)))
  return limit < 0 ? nil : Int(limit)
}

/// Deletes a file; false when that was not possible.
public func removeFile(path: String) -> Bool {
  unsafe unlink(path) == 0
}

/// Gives a file another name, in the place of one that has it; false when that was not possible.
public func renameFile(_ path: String, to other: String) -> Bool {
  unsafe rename(path, other) == 0
}

/// What a wait for a descriptor is about.
enum Direction {
  case reading
  case writing
}

/// Waits until a descriptor is ready (true) or the time is over (false); throws when `stop` is raised first.
func wait(
  for descriptor: Int32, _ direction: Direction, unless stop: StopSignal? = nil, milliseconds: Int32 = -1
) throws(PosixError) -> Bool {
  while true {
    let ready = cposix_wait(
      descriptor, direction == .writing ? 1 : 0, stop?.descriptor.number ?? -1, milliseconds)
    if ready < 0 {
      let error = PosixError(call: "poll")
      if error.code != EINTR { throw error }
      continue
    }
    if ready & 2 != 0 { throw PosixError(call: "poll", code: ECANCELED) }
    return ready & 1 != 0
  }
}

/// Gives a file a second name, unless there is a file of that name.
public func linkFile(path: String, to other: String) throws(PosixError) {
  try unsafe unlessThere(link(path, other), "link")
}

/// Throws what a call has left that failed for another reason than that its file is there.
func unlessThere(_ status: Int32, _ call: String) throws(PosixError) {
  guard status != 0 else { return }
  let error = PosixError(call: call)
  if !error.isFileThere { throw error }
}
