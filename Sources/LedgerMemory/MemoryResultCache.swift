package import Pipeline

/// Keeps answers as long as the process lives.
package actor MemoryResultCache: ResultCache {
  private struct Entry {
    var serial: UInt64
    var answer: CachedAnswer
  }

  private var entries: [String: Entry] = [:]
  /// Questions in the order of their answers; one that was answered again stands here more than once.
  private var order = FIFO<(question: String, serial: UInt64)>()
  private var lastSerial: UInt64 = 0
  private let most: Int

  /// - Parameter most: Answers that are kept.
  package init(most: Int = CacheRule.mostAnswers) {
    self.most = most
  }

  package func find(_ questions: [String], bytes: Int) -> [CachedAnswer?] {
    var found: [CachedAnswer?] = []
    var room = bytes
    for question in questions where room > 0 {
      let answer = entries[question]?.answer
      found.append(answer)
      room -= answer?.json.count ?? 0
    }
    return found
  }

  package func store(_ answers: [CachedAnswer]) {
    for answer in answers {
      lastSerial += 1
      entries[answer.question] = Entry(serial: lastSerial, answer: answer)
      order.append((answer.question, lastSerial))
    }
    guard let newest = answers.last else { return }
    let oldest = newest.storedAt.advanced(byMilliseconds: -CacheRule.longestMilliseconds)
    while let first = order.first, mayGo(first.question, first.serial, unless: oldest) {
      _ = order.popFirst()
      if entries[first.question]?.serial == first.serial { entries[first.question] = nil }
    }
  }

  private func mayGo(_ question: String, _ serial: UInt64, unless oldest: Moment) -> Bool {
    guard let entry = entries[question], entry.serial == serial else { return true }
    return entries.count > most || entry.answer.storedAt < oldest
  }
}
