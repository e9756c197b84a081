internal import CPosix

/// What the kernel says of locks. It knows the holder of a lock file that says nothing, as on a full disk.
enum KernelLocks {
  private static let path = "/proc/locks"

  /// The process that has an open file for itself alone; nil when the system does not tell.
  static func holder(of descriptor: Descriptor) -> Int32? {
    guard let file = name(of: descriptor), let locks = try? Descriptor.reading(path: path) else { return nil }
    var text: [UInt8] = []
    while let chunk = try? locks.readChunk(), !chunk.isEmpty { text += chunk }
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
