import Pipeline

/// Answers to what changes something. Askers repeat themselves until they are answered; a repetition must change
/// nothing, and still hear what the first one did.
struct AnswerCache {
  /// More are not under way at a time.
  private static let kept = 64

  private var answers: [Query: Answer] = [:]
  private var order = FIFO<Query>()

  subscript(query: Query) -> Answer? { answers[query] }

  mutating func keep(_ answer: Answer, to query: Query) {
    if answers.updateValue(answer, forKey: query) == nil { order.append(query) }
    while order.count > Self.kept, let oldest = order.popFirst() { answers[oldest] = nil }
  }
}
