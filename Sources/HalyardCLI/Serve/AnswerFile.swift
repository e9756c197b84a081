import LedgerSQLite
import Pipeline
import Posix

/// Answers in a file, behind those in memory: a restart keeps them.
final class AnswerFile: ResultCache {
  private let file: SQLiteResultCache
  /// Links that are to be fetched whatever is known of them, and by how many requests.
  private let fetchedAnew = Lock<[String: Int]>([:])

  private init(_ file: SQLiteResultCache) { self.file = file }

  static func open(_ path: String) async throws -> AnswerFile {
    AnswerFile(try await SQLiteResultCache.open(path: path))
  }

  func close() async {
    guard let fault = await file.close() else { return }
    Message.show("halyard: \(fault.message)\nhalyard: not all answers are kept for the next start\n")
  }

  /// From now on nothing is known of a link, until `isFetched` is called as often.
  func forgets(_ link: String) { fetchedAnew.withLock { $0[link, default: 0] += 1 } }

  func isFetched(_ link: String) {
    fetchedAnew.withLock { $0[link] = $0[link].flatMap { $0 > 1 ? $0 - 1 : nil } }
  }

  func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    var found = try await file.find(questions, bytes: bytes)
    let anew = fetchedAnew.withLock { $0 }
    guard !anew.isEmpty else { return found }
    for index in found.indices {
      // A question ends with its link.
      let link = questions[index].split(separator: "\n").last.map(String.init) ?? ""
      if anew[link] != nil { found[index] = nil }
    }
    return found
  }

  func store(_ answers: [CachedAnswer]) throws(LedgerError) { try file.store(answers) }
}
