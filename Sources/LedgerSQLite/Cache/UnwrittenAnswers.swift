import Pipeline

/// Answers that are yet to be written, and what became of those that could not be.
struct UnwrittenAnswers {
  /// What waits for a locked file must not take all memory.
  private static let mostBytes = 16 << 20

  private(set) var answers: [CachedAnswer] = []
  /// Why the last ones could not be written.
  private(set) var fault: LedgerError?
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

  mutating func takeFault() -> LedgerError? { fault.take() }

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
