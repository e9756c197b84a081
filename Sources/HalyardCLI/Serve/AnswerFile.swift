import LedgerSQLite
import Pipeline
import Posix

/// Answers in a file, behind those in memory: a restart keeps them.
final class AnswerFile: ResultCache {
  private let file: SQLiteResultCache
  /// Links that are to be fetched whatever is known of them.
  private let fetchedAnew = Lock<Set<String>>([])

  private init(_ file: SQLiteResultCache) { self.file = file }

  static func open(_ path: String) async throws -> AnswerFile {
    AnswerFile(try await SQLiteResultCache.open(path: path))
  }

  func close() async {
    guard let fault = await file.close() else { return }
    Message.show("halyard: \(fault.message)\nhalyard: not all answers are kept for the next start\n")
  }

  /// From now on nothing is known of a link, until it is fetched.
  func forgets(_ link: String) { fetchedAnew.withLock { _ = $0.insert(link) } }

  func isFetched(_ link: String) { fetchedAnew.withLock { _ = $0.remove(link) } }

  func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    var found = try await file.find(questions, bytes: bytes)
    let anew = fetchedAnew.withLock { $0 }
    guard !anew.isEmpty else { return found }
    // A question ends with its link.
    for (index, question) in questions.enumerated()
    where question.split(separator: "\n").last.map({ anew.contains(String($0)) }) == true {
      found[index] = nil
    }
    return found
  }

  func store(_ answers: [CachedAnswer]) throws(LedgerError) { try file.store(answers) }
}
