package import Pipeline
import Posix
import SQLite

/// Kept answers in a file of their own, which several processes may share.
///
/// All of its work is done one after another on one thread, and no job waits for what is written. While another
/// process has the file locked, look-ups find nothing, and what is to be written is kept for the next time.
package final class SQLiteResultCache: ResultCache {
  /// The file's path as the user gave it.
  package let path: String
  private let worker: BlockingWorker
  private let unwritten = Lock(UnwrittenAnswers())
  /// nil once closed. Only the worker's thread waits for the lock.
  private let file: Lock<CacheFile?>

  private static let pauseMicroseconds: Int64 = 1_000_000
  /// Each takes as long as `CacheFile` waits for others.
  private static let lastAttempts = 10

  /// - Parameter most: Answers that are kept, but for a hundredth more until they are counted again.
  package static func open(
    path: String, most: Int = CacheRule.mostAnswers
  ) async throws(LedgerError) -> SQLiteResultCache {
    let worker = try BlockingWorker.opening(.cache, path)
    let file = try await worker.finish { () throws(LedgerError) in
      Lock<CacheFile?>(try CacheFile.open(path: path, most: most))
    }
    return SQLiteResultCache(path: path, worker: worker, file: file)
  }

  private init(path: String, worker: BlockingWorker, file: Lock<CacheFile?>) {
    (self.path, self.worker, self.file) = (path, worker, file)
  }

  package func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    try await worker.finish { [self] () throws(LedgerError) in
      do throws(LedgerError) {
        return try use("read", .beginReading) { (store) throws(SQLiteError) in
          try store.find(questions, bytes: bytes)
        }
      } catch {
        guard error.kind == .locked else { throw error }
        return Array(repeating: nil, count: questions.count)
      }
    }
  }

  package func store(_ answers: [CachedAnswer]) throws(LedgerError) {
    guard !answers.isEmpty else { return }
    let (mustAsk, fault) = unwritten.withLock { ($0.add(answers), $0.fault.take()) }
    if mustAsk { worker.start { [self] in write() } }
    if let fault { throw fault }
  }

  /// Writes what is left and lets the file go; whatever is asked afterwards fails.
  ///
  /// - Returns: Why not all of it was written; nil when it was.
  @discardableResult
  package func close() async -> LedgerError? {
    _ = try? await worker.finish { [self] in
      for _ in 0..<Self.lastAttempts where unwritten.withLock({ !$0.answers.isEmpty }) {
        file.withLock { $0?.isLeftAloneUntil = 0 }
        write()
      }
      unwritten.withLock { $0.giveUp(locked("write")) }
      file.withLock { $0 = nil }
    }
    return unwritten.withLock { $0.fault.take() }
  }

  private func write() {
    let answers = unwritten.withLock { $0.take() }
    guard !answers.isEmpty else { return }
    do {
      try use("write", .begin) { (store) throws(SQLiteError) in try store.write(answers) }
    } catch {
      unwritten.withLock { $0.failed(answers, error) }
    }
  }

  private func use<Answer: Sendable>(
    _ verb: String, _ begin: SQL, _ body: @Sendable (CacheStore) throws(SQLiteError) -> Answer
  ) throws(LedgerError) -> Answer {
    try file.withLock { (file) throws(LedgerError) in
      guard let file else { throw LedgerError("\(verb) cache \(path): it was closed") }
      guard SystemTime.monotonicMicroseconds >= file.isLeftAloneUntil else { throw locked(verb) }
      do throws(SQLiteError) {
        return try file.transaction(begin, body)
      } catch {
        if error.cause == .busy {
          file.isLeftAloneUntil = SystemTime.monotonicMicroseconds + Self.pauseMicroseconds
          throw locked(verb)
        }
        throw LedgerError(error, doing: verb, .cache, path)
      }
    }
  }

  private func locked(_ verb: String) -> LedgerError {
    LedgerError(
      "\(verb) cache \(path): another program has it locked; end that, or name another file", kind: .locked)
  }
}

/// Cached answers in a ledger's file. They are written with the ledger's next commit, in the same transaction.
extension SQLiteLedger: ResultCache {
  package func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    try await use("read") { store in
      // Mostly nothing is left: an answer is written in the commit of the row that it comes from.
      if !store.unwritten.isEmpty {
        try store.transaction { () throws(SQLiteError) in try store.cache.write(store.unwritten) }
        store.unwritten = []
      }
      return try store.cache.find(questions, bytes: bytes)
    }
  }

  package func store(_ answers: [CachedAnswer]) async throws(LedgerError) {
    guard !answers.isEmpty else { return }
    try await use("write") { $0.unwritten += answers }
  }
}

/// Answers that are yet to be written, and what became of those that could not be.
struct UnwrittenAnswers {
  /// What waits for a locked file must not take all memory.
  private static let mostBytes = 16 << 20

  private(set) var answers: [CachedAnswer] = []
  /// Why the last ones could not be written.
  var fault: LedgerError?
  /// A task is about to take them.
  private var isAsked = false

  /// - Returns: Whether a task has to be asked to take them.
  mutating func add(_ more: [CachedAnswer]) -> Bool {
    answers += more
    defer { isAsked = true }
    return !isAsked
  }

  mutating func take() -> [CachedAnswer] {
    defer { (answers, isAsked) = ([], false) }
    return answers
  }

  /// They were not written. When others had the file locked they may be the next time, unless there are too many.
  mutating func failed(_ tried: [CachedAnswer], _ error: LedgerError) {
    let isTooMuch = (tried + answers).reduce(0) { $0 + $1.size } > Self.mostBytes
    if error.kind == .locked, !isTooMuch {
      answers = tried + answers
    } else {
      fault = error
    }
  }

  /// No further attempt is made.
  mutating func giveUp(_ error: LedgerError) {
    if !answers.isEmpty { fault = error }
    answers = []
  }
}

extension CachedAnswer {
  /// About what it takes in memory.
  fileprivate var size: Int { json.count + question.utf8.count + 256 }
}
