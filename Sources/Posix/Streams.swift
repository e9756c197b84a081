internal import CPosix

/// Reads what is there, waiting for at least one byte; empty at the end of the stream.
func readChunk(_ descriptor: Int32, limit: Int) throws(PosixError) -> [UInt8] {
  while true {
    var failure: PosixError?
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, initialized in
      let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 { failure = PosixError(call: "read") }
      initialized = max(0, count)
    }
    guard let failure else { return chunk }
    try recover(from: failure, descriptor, .reading)
  }
}

/// Writes all bytes, however many calls that takes.
func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(PosixError) {
  try unsafe writeAll(bytes, to: descriptor, "write") { unsafe write(descriptor, $0, $1) }
}

/// - Parameters:
///   - name: The call's.
///   - write: Writes some of what is left; -1 with an error.
///   - milliseconds: How long there may be no room; then this throws `ETIMEDOUT`.
func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, _ name: String, unless stop: StopSignal? = nil,
  milliseconds: Int32 = -1, by write: (UnsafeRawPointer?, Int) -> Int
) throws(PosixError) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe write(buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
    }
    if count < 0 {
      try recover(
        from: PosixError(call: name), descriptor, .writing, unless: stop, milliseconds: milliseconds)
    } else {
      written += count
    }
  }
}

/// Waits where another attempt can help: after a signal, or on a descriptor that does not block, be it that another process
/// made it so.
private func recover(
  from error: PosixError, _ descriptor: Int32, _ direction: Direction, unless stop: StopSignal? = nil,
  milliseconds: Int32 = -1
) throws(PosixError) {
  switch error.code {
  case EINTR: return
  case EAGAIN:
    guard try wait(for: descriptor, direction, unless: stop, milliseconds: milliseconds) else {
      throw PosixError(call: error.call, code: ETIMEDOUT)
    }
  default: throw error
  }
}

/// The size of the regular file behind a descriptor, in bytes; nil for pipes and the like.
func fileSize(_ descriptor: Int32) -> Int? {
  Int(exactly: cposix_file_size(descriptor)).flatMap { $0 < 0 ? nil : $0 }
}

/// Whether another program may read what is written there, as from a pipe or a socket.
public func isPipe(_ descriptor: Int32) -> Bool { cposix_is_pipe(descriptor) == 1 }

/// Which file, pipe or socket a descriptor leads to, as `DEVICE:INODE`; nil when it leads nowhere.
public func streamIdentity(_ descriptor: Int32) -> String? {
  var (device, inode): (UInt64, UInt64) = (0, 0)
  guard unsafe cposix_identity(descriptor, &device, &inode) == 0 else { return nil }
  return "\(device):\(inode)"
}

/// Whether a descriptor leads to the regular file at a path.
func isFile(_ descriptor: Int32, at path: String) -> Bool {
  unsafe cposix_is_file_at(descriptor, path) == 1
}

/// Keeps closed standard streams from being taken for whatever is opened next; to be called before that.
///
/// Reading from closed standard input and writing to closed standard output still fail; messages are dropped.
public func holdStandardStreams() {
  for descriptor: Int32 in 0...2 { _ = cposix_hold_place(descriptor) }
}

/// Makes a write to a pipe without a reader fail with `EPIPE` instead of ending the process.
public func ignoreBrokenPipes() {
  cposix_ignore_broken_pipes()
}

public func isTerminal(_ descriptor: Int32) -> Bool {
  isatty(descriptor) == 1
}

/// The terminal's height in lines, or nil if it is not a terminal or does not tell.
public func terminalHeight(_ descriptor: Int32) -> Int? {
  let lines = cposix_terminal_height(descriptor)
  return lines > 0 ? Int(lines) : nil
}

/// The terminal's width in columns, or nil if it is not a terminal or does not tell.
public func terminalWidth(_ descriptor: Int32) -> Int? {
  let columns = cposix_terminal_width(descriptor)
  return columns > 0 ? Int(columns) : nil
}

extension [UInt8] {
  /// Adds all bytes in one copy.
  public mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

/// The text that a call writes into a buffer of its size, up to the first zero; nil when the call fails.
func writtenText(room: Int = 4_096, _ call: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
  var buffer = [CChar](repeating: 0, count: room)
  guard unsafe call(&buffer, room) else { return nil }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Span<UInt8> {
  /// Where a byte stands for the last time before `end`.
  public func lastIndex(of byte: UInt8, before end: Int) -> Int? {
    guard end > 0 else { return nil }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memrchr(base, CInt(byte), Swift.min(end, count))
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Where a byte stands next, as fast as the C library finds it, or the end.
  public func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = unsafe memchr(base + start, CInt(byte), count - start)
      else { return count }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Where a small letter, or its capital, stands next, or the end.
  public func firstIndex(ofLetter letter: UInt8, from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { unsafe Int(cposix_find_letter($0.baseAddress, start, count, letter)) }
  }

  /// Where a byte stands next that the strings of JSON escape, or the end.
  public func firstIndexOfEscaped(from start: Int) -> Int {
    guard start >= 0, start < count else { return count }
    return unsafe withUnsafeBytes { unsafe Int(cposix_find_escaped($0.baseAddress, start, count)) }
  }
}
