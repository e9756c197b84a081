package import Pipeline

/// Keeps answers as long as the process lives.
package actor MemoryResultCache: ResultCache {
  private struct Entry {
    var serial: UInt64
    var answer: CachedAnswer

    var bytes: Int { answer.question.utf8.count + answer.json.count }
  }

  private var entries: [String: Entry] = [:]
  /// Questions in the order of their answers; one that was answered again stands here more than once.
  private var order = FIFO<(question: String, serial: UInt64)>()
  private var lastSerial: UInt64 = 0
  /// What the entries take.
  private var bytes = 0
  private let most: Int
  private let mostBytes: Int

  /// - Parameters:
  ///   - most: Answers that are kept.
  ///   - mostBytes: What they may take together.
  package init(most: Int = CacheRule.mostAnswers, mostBytes: Int = Int(CacheRule.mostBytes)) {
    (self.most, self.mostBytes) = (most, mostBytes)
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
      put(Entry(serial: lastSerial, answer: answer), answer.question)
      order.append((answer.question, lastSerial))
    }
    guard let newest = answers.last else { return }
    let oldest = newest.storedAt.advanced(byMilliseconds: -CacheRule.longestMilliseconds)
    while let first = order.first, mayGo(first.question, first.serial, unless: oldest) {
      _ = order.popFirst()
      if entries[first.question]?.serial == first.serial { put(nil, first.question) }
    }
    // Behind one that is not answered again, others may be any number of times.
    if order.count > 2 * entries.count + 64 {
      order.removeAll { entries[$0.question]?.serial != $0.serial }
    }
  }

  private func put(_ entry: Entry?, _ question: String) {
    bytes += (entry?.bytes ?? 0) - (entries[question]?.bytes ?? 0)
    entries[question] = entry
  }

  private func mayGo(_ question: String, _ serial: UInt64, unless oldest: Moment) -> Bool {
    guard let entry = entries[question], entry.serial == serial else { return true }
    return entries.count > most || bytes > mostBytes || entry.answer.storedAt < oldest
  }
}
