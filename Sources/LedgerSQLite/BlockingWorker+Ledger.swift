import Pipeline
import Posix

extension BlockingWorker {
  /// The one that does all work on a file.
  static func opening(
    _ subject: LedgerError.Subject, _ path: String
  ) throws(LedgerError) -> BlockingWorker {
    do {
      return try BlockingWorker(name: subject.rawValue)
    } catch {
      throw LedgerError("open \(subject.rawValue) \(path): \(error.message)")
    }
  }

  /// Waits for the end even when the calling task is cancelled: how a commit ended must be known.
  func finish<Answer: Sendable>(
    _ body: @escaping @Sendable () throws(LedgerError) -> Answer
  ) async throws(LedgerError) -> Answer {
    do {
      return try await Task { try await run(body) }.value
    } catch {
      throw error as? LedgerError ?? LedgerError("use ledger: \(error)")
    }
  }
}
