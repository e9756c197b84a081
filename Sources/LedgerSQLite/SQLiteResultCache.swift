public import Pipeline
import Posix
import SQLite

/// Kept answers in a file of their own, which several processes may share.
///
/// All of its work is done one after another on one thread, and nobody waits for what is written.
public final class SQLiteResultCache: ResultCache {
  /// The file's path as the user gave it.
  public let path: String
  private let worker: BlockingWorker
  /// nil once closed. Only the worker's thread waits for the lock.
  private let file: Lock<CacheFile?>
  private let unwritten = Lock(Unwritten())

  private struct Unwritten {
    var answers: [KeptAnswer] = []
    /// Why the last ones could not be written.
    var fault: LedgerError?
  }

  /// - Parameter most: Answers that are kept, but for a hundredth more until they are counted again.
  public static func open(
    path: String, most: Int = CacheRule.mostAnswers
  ) async throws(LedgerError) -> SQLiteResultCache {
    let worker: BlockingWorker
    do {
      worker = try BlockingWorker(name: "cache")
    } catch {
      throw LedgerError("open cache \(path): \(error.message)")
    }
    let file = try await worker.finish { () throws(LedgerError) in
      Lock<CacheFile?>(try CacheFile.open(path: path, most: most))
    }
    return SQLiteResultCache(path: path, worker: worker, file: file)
  }

  private init(path: String, worker: BlockingWorker, file: Lock<CacheFile?>) {
    (self.path, self.worker, self.file) = (path, worker, file)
  }

  public func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [KeptAnswer?] {
    try await worker.finish { [file, path] () throws(LedgerError) in
      try Self.use(file, "read", path) { (file) throws(SQLiteError) in
        try file.find(questions, bytes: bytes)
      }
    }
  }

  public func keep(_ answers: [KeptAnswer]) throws(LedgerError) {
    guard !answers.isEmpty else { return }
    let (isFirst, fault) = unwritten.withLock { unwritten in
      defer { unwritten.fault = nil }
      let isFirst = unwritten.answers.isEmpty
      unwritten.answers += answers
      return (isFirst, unwritten.fault)
    }
    if isFirst { worker.start { [self] in write() } }
    if let fault { throw fault }
  }

  /// Writes what is left and lets the file go; whatever is asked afterwards fails.
  public func close() async {
    _ = try? await worker.finish { [file] in file.withLock { $0 = nil } }
  }

  private func write() {
    let answers = unwritten.withLock { unwritten in
      defer { unwritten.answers = [] }
      return unwritten.answers
    }
    do {
      try Self.use(file, "write", path) { (file) throws(SQLiteError) in try file.keep(answers) }
    } catch {
      unwritten.withLock { $0.fault = error }
    }
  }

  private static func use<Answer: Sendable>(
    _ file: Lock<CacheFile?>, _ verb: String, _ path: String,
    _ body: @Sendable (CacheFile) throws(SQLiteError) -> Answer
  ) throws(LedgerError) -> Answer {
    try file.withLock { (file) throws(LedgerError) in
      guard let file else { throw LedgerError("\(verb) cache \(path): it was closed") }
      do throws(SQLiteError) {
        return try body(file)
      } catch {
        throw LedgerError(error, doing: verb, .cache, path)
      }
    }
  }
}
