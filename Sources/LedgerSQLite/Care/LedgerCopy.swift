import Pipeline
import Posix
import SQLite

/// A copy of a ledger's file, made beside it in short steps between commits. What is written is forced to the disk on a
/// thread of its own, 16 MiB at a time, so that no commit waits for all of it.
///
/// It belongs to the ledger's thread.
final class LedgerCopy {
  /// Pages of one step.
  private static let pages = 256
  private static let unflushedSteps = 16
  private static let mark = ".copy-"

  let id: UUIDv7
  private let path: String
  private let part: String
  private let pageBytes: Int64
  private let file: Descriptor
  private let flusher: BlockingWorker
  private let flushing = Lock<Result<Bool, PosixError>>(.success(false))
  /// nil once the copy is whole.
  private var backup: Backup?
  private var unflushed = 0
  private var size = (total: 0, left: 0)
  private var isWhole = false
  private(set) var isDone = false

  init(of store: LedgerStore, at ledger: String, id: UUIDv7) throws(LedgerError) {
    self.id = id
    path = Self.path(beside: ledger, id)
    part = "\(path).part"
    do throws(PosixError) {
      file = try Descriptor.creatingSecret(path: part)
      flusher = try BlockingWorker(name: "copy")
    } catch {
      throw LedgerError("copy ledger \(ledger) to \(part): \(error.message)")
    }
    do throws(SQLiteError) {
      pageBytes = try store.connection.integer("PRAGMA page_size") ?? 0
      size.total = Int(try store.connection.integer("PRAGMA page_count") ?? 0)
      backup = try Backup(of: store.connection, to: part)
    } catch {
      _ = removeFile(path: part)
      throw LedgerError(error, doing: "copy", .ledger, part)
    }
  }

  deinit {
    if !isDone { _ = removeFile(path: part) }
  }

  func step() throws(LedgerError) -> FileStep {
    do {
      return try flushing.withLock({ $0 }).get() ? progress(isWaiting: true) : try copyMore()
    } catch let error as PosixError {
      throw error.isNoRoom ? noRoom : LedgerError("copy ledger to \(part): \(error.message)")
    } catch let error as SQLiteError where error.cause == .full {
      throw noRoom
    } catch {
      throw LedgerError(error, doing: "copy", .ledger, part)
    }
  }

  private func copyMore() throws -> FileStep {
    if isWhole { return try finish() }
    isWhole = try backup?.step(pages: Self.pages) ?? true
    size = backup?.pages ?? size
    if isWhole { try end() }
    unflushed += 1
    if isWhole || unflushed >= Self.unflushedSteps { flush() }
    return progress(isWaiting: isWhole)
  }

  /// In place of the ledger, the copy will give tokens and numbers of rows that were given before. Its own key tells those who
  /// know them from before, workers and readers, that they are others.
  private func end() throws(SQLiteError) {
    backup = nil
    try Connection(path: part).execute(
      "PRAGMA locking_mode = EXCLUSIVE; UPDATE owner SET lease_key = randomblob(16)")
  }

  private var noRoom: LedgerError { Self.noRoom(at: path, bytes: Int64(size.total) * pageBytes) }

  /// Who wants the copy elsewhere does not know that it is made beside the ledger.
  static func noRoom(at path: String, bytes: Int64) -> LedgerError {
    LedgerError(
      "copy ledger: the disk of \(directory(of: path)) is full; a copy is made there first, beside the ledger, and takes"
        + " \(bytes >> 20 + 1) MiB; make so much room there, and try again", kind: .full)
  }

  private func flush() {
    unflushed = 0
    flushing.withLock { $0 = .success(true) }
    flusher.start { [flushing, file] in
      let result = Result { () throws(PosixError) in try file.synchronize() }.map { false }
      flushing.withLock { $0 = result }
    }
  }

  private func finish() throws(LedgerError) -> FileStep {
    guard isDone || renameFile(part, to: path) else {
      throw LedgerError("copy ledger to \(path): the file cannot be given its name")
    }
    isDone = true
    var step = progress(isWaiting: false)
    step.path = path
    return step
  }

  private func progress(isWaiting: Bool) -> FileStep {
    FileStep(
      bytes: Int64(size.total - size.left) * pageBytes, total: Int64(size.total) * pageBytes,
      isWaiting: isWaiting)
  }

  private static func path(beside ledger: String, _ id: UUIDv7) -> String {
    "\(resolvedPath(ledger))\(mark)\(id)"
  }

  /// How long a whole copy waits for the command that asked for it, in microseconds.
  private static let keptMicroseconds: Int64 = 60_000_000

  /// Removes those that commands which were killed have left.
  static func removeOld(_ copies: inout [String: Int64]) {
    let oldest = SystemTime.monotonicMicroseconds - keptMicroseconds
    for (path, finished) in copies where finished < oldest {
      _ = removeFile(path: path)
      copies[path] = nil
    }
  }

  /// Removes those of a process before this one.
  static func removeAll(beside ledger: String) {
    let path = resolvedPath(absolutePath(ledger))
    let directory = directory(of: path)
    for name in fileNames(in: directory) where "\(directory)\(name)".hasPrefix(path + mark) {
      _ = removeFile(path: "\(directory)\(name)")
    }
  }

  /// Of an absolute path, with the slash at its end.
  private static func directory(of path: String) -> String {
    String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
