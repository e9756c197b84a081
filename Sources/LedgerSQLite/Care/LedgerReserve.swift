import Posix

/// A file beside a ledger that takes room on the disk, to be given up when nothing else is left. It belongs to the ledger's
/// thread.
struct LedgerReserve {
  static let most: Int64 = 32 << 20
  /// With less nothing useful could be committed.
  static let least: Int64 = 1 << 20
  static let suffix = "-reserve"

  private let ledger: String
  private let path: String
  /// Bytes that it is to have, a small part of a small disk; 0 for no reserve.
  private let wanted: Int64
  private(set) var bytes: Int64 = 0
  private(set) var isGivenUp = false

  /// - Parameter total: Bytes of the ledger's file system.
  init(beside ledger: String, total: Int64?) {
    self.ledger = ledger
    path = resolvedPath(ledger) + Self.suffix
    wanted = Self.size(total: total)
  }

  static func size(total: Int64?) -> Int64 {
    let part = min(most, (total ?? 0) / 16)
    return part < least ? 0 : part
  }

  /// What a full disk has to get so that the reserve is made again, and jobs run.
  static func needed(total: Int64?) -> Int64 { 3 * max(least, size(total: total)) }

  /// Makes it where there is as much room again. One that an earlier process left is taken as it is.
  mutating func make() {
    guard wanted > 0, bytes == 0 else { return }
    let facts = (try? FileFacts(at: path)).flatMap(\.self)
    if facts?.kind == .regular, (try? Descriptor.reading(path: path))?.size == Int(wanted) {
      bytes = wanted
      return
    }
    if facts != nil { _ = removeFile(path: path) }
    guard let free = freeBytes(at: ledger), fits(in: free) else { return }
    do throws(PosixError) {
      try Descriptor.creatingSecret(path: path).allocate(wanted)
      (bytes, isGivenUp) = (wanted, false)
    } catch {
      _ = removeFile(path: path)
    }
  }

  /// One that was given up needs more: with hardly any room beside it, it would soon be given up again.
  func fits(in free: Int64) -> Bool { free >= (isGivenUp ? 3 : 2) * wanted }

  /// - Returns: False when there was none.
  mutating func giveUp() -> Bool {
    bytes = 0
    guard removeFile(path: path) else { return false }
    isGivenUp = true
    return true
  }
}
