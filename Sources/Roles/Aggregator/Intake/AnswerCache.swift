import Pipeline

/// Answers to orders. Askers repeat themselves until they are answered; a repetition must change nothing, and still hear
/// what the first one did.
struct AnswerCache {
  /// More are not under way at a time.
  private static let kept = 64

  private var answers: [UUIDv7: Tell] = [:]
  private var order = FIFO<UUIDv7>()

  subscript(ask: UUIDv7) -> Tell? { answers[ask] }

  mutating func keep(_ answer: Tell) {
    if answers.updateValue(answer, forKey: answer.id) == nil { order.append(answer.id) }
    while order.count > Self.kept, let oldest = order.popFirst() { answers[oldest] = nil }
  }
}
