import Links
import Pipeline
import Posix

/// Tells the files of a process apart from those of other machines and earlier starts, which had other processes with its id.
package struct MachineMark: Sendable, CustomStringConvertible {
  package var machine: String
  package var boot: String

  /// Short, because the path of a socket has at most 107 bytes.
  package static let own = MachineMark(
    machine: digits(6, of: text("/etc/machine-id") ?? hostName),
    boot: digits(4, of: text("/proc/sys/kernel/random/boot_id") ?? ""))

  package var description: String { "\(machine)-\(boot)" }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? Descriptor.reading(path: path).readChunk(limit: 256), !bytes.isEmpty else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Of a hash.
  private static func digits(_ count: Int, of text: String) -> String {
    let digits = String(text.stableHash(), radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(count))
  }
}
