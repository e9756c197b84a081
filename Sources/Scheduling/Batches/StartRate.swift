import Pipeline

/// Lets so many jobs start in a second, a minute or an hour: evenly, and never more in any span of that length. A pure
/// value.
struct StartRate: Sendable {
  /// Starts that a loop missed because it was busy may come at once, as far as they lie so long back.
  private static let catchesUpMilliseconds: Int64 = 100
  /// Spans are kept in so many parts at most.
  private static let mostMarks: Int64 = 1_000

  /// The span, and how many jobs may start in it.
  private let span: Int64
  private let most: Int64
  /// What has been saved up, in parts of `span` for a start.
  private var saved: Int64
  private var savedAt: Moment
  /// When starts were made, the last of so many each.
  private var marks = FIFO<Moment>()
  private let startsOfMark: Int64
  private var unmarked: Int64 = 0

  /// - Parameter isNew: Nothing can have started; else it counts as if all that was allowed had.
  init(perHour: UInt32, isNew: Bool, at now: Moment) {
    let perHour = max(1, Int64(perHour))
    let (second, minute): (Int64, Int64) = (3_600, 60)
    (span, most) =
      if perHour % second == 0 {
        (1_000, perHour / second)
      } else if perHour % minute == 0 {
        (60_000, perHour / minute)
      } else {
        (3_600_000, perHour)
      }
    startsOfMark = (most + Self.mostMarks - 1) / Self.mostMarks
    (saved, savedAt) = (isNew ? span : 0, now)
  }

  /// Marks of one span.
  private var marksOfSpan: Int { Int(most / startsOfMark) }

  private mutating func save(at now: Moment) {
    let elapsed = min(max(0, now.milliseconds(since: savedAt)), span)
    saved = min(saved + elapsed * most, span + most * Self.catchesUpMilliseconds)
    savedAt = max(savedAt, now)
  }

  mutating func mayStart(at now: Moment) -> Bool {
    save(at: now)
    guard saved >= span else { return false }
    guard unmarked == 0, marks.count >= marksOfSpan, let first = marks.first else { return true }
    return now.milliseconds(since: first) >= span
  }

  mutating func started(at now: Moment) {
    save(at: now)
    saved -= span
    unmarked += 1
    guard unmarked >= startsOfMark else { return }
    unmarked = 0
    if marks.count >= marksOfSpan { _ = marks.popFirst() }
    marks.append(now)
  }

  /// When the next job may start, if none does before.
  func next(at now: Moment) -> Moment {
    let missing = max(0, span - saved)
    let whenSaved = savedAt.advanced(byMilliseconds: (missing + most - 1) / most)
    guard unmarked == 0, marks.count >= marksOfSpan, let first = marks.first else { return whenSaved }
    return max(whenSaved, first.advanced(byMilliseconds: span))
  }
}
