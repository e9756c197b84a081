import Pipeline

/// Which batches may start jobs now: what their terms limit, and what is paused. Only unusual batches are kept. A pure
/// value.
struct BatchLimits: Sendable {
  private struct State: Sendable {
    var terms: BatchTerms
    var isPaused = false
    var rate: StartRate?
    /// Jobs that workers are on.
    var underWay = 0
    /// None may start now.
    var isHeld = false
    /// Its time has not come.
    var isEarly = false
    /// When to look again.
    var wake: Moment?

    var isShut: Bool { isPaused || isEarly }
  }

  private var states: [BatchID: State] = [:]
  /// When held batches are to be looked at again.
  private var wakes = MinHeap<Moment, BatchID>()
  var isAllPaused = false
  /// Milliseconds by which the wall clock was set, which `now` does not follow.
  private var clockStep: Int64 = 0

  var isEmpty: Bool { states.isEmpty }
  /// Batches whose terms or pause count.
  var count: Int { states.count }
  var batches: [BatchID] { states.keys.sorted() }

  func knows(_ batch: BatchID) -> Bool { !states.isEmpty && states[batch] != nil }

  /// When a batch may start jobs that may not now.
  var nextWake: Moment? { wakes.first?.key }

  /// Some of its jobs that could run may have to wait.
  func isLimited(_ batch: BatchID) -> Bool {
    guard !states.isEmpty, let state = states[batch] else { return false }
    return state.isShut || state.terms.isLimited
  }

  /// Nothing of it can start soon: it is paused, or its time has not come.
  func isShut(_ batch: BatchID) -> Bool { !states.isEmpty && states[batch]?.isShut ?? false }

  /// What a job of it waits for; nil when some may start now.
  func hold(of batch: BatchID) -> (reason: String, until: Moment?)? {
    guard let state = states[batch], state.isHeld else { return nil }
    if state.isPaused { return ("resumed_batch", nil) }
    if state.isEarly, let start = state.terms.startsAt { return ("start", start) }
    return ("batch_limit", nil)
  }

  func isHeld(_ batch: BatchID) -> Bool { !states.isEmpty && states[batch]?.isHeld ?? false }

  /// - Parameters:
  ///   - underWay: Jobs of it that workers are on.
  ///   - isNew: It was just submitted, so nothing of it counts against its rate.
  /// - Returns: Whether it is held now.
  mutating func set(
    _ batch: BatchID, _ terms: BatchTerms, isPaused: Bool, underWay: Int, isNew: Bool, at now: Moment
  ) -> Bool {
    guard isPaused || !terms.areUsual else {
      states[batch] = nil
      return false
    }
    var state = states[batch] ?? State(terms: terms)
    if state.rate == nil || state.terms.perHour != terms.perHour {
      let perHour = terms.perHour ?? 0
      state.rate = perHour > 0 ? StartRate(perHour: perHour, isNew: isNew, at: now) : nil
    }
    (state.terms, state.isPaused, state.underWay) = (terms, isPaused, underWay)
    states[batch] = state
    return look(at: batch, now)
  }

  /// Decides whether it may start jobs, and when to look again.
  ///
  /// - Returns: Whether it is held.
  private mutating func look(at batch: BatchID, _ now: Moment) -> Bool {
    guard var state = states[batch] else { return false }
    let limit = state.terms.atMost ?? 0
    state.isHeld = true
    let start = state.terms.startsAt?.advanced(byMilliseconds: -clockStep)
    state.isEarly = start.map { now < $0 } ?? false
    if state.isPaused || limit > 0 && state.underWay >= limit {
      // It is looked at again when it is resumed, or one of its jobs ends.
    } else if state.isEarly, let start {
      wake(batch, &state, at: start)
    } else if state.rate?.mayStart(at: now) == false, let next = state.rate?.next(at: now) {
      wake(batch, &state, at: max(next, now.advanced(byMilliseconds: 1)))
    } else {
      state.isHeld = false
    }
    states[batch] = state
    return state.isHeld
  }

  private mutating func wake(_ batch: BatchID, _ state: inout State, at moment: Moment) {
    guard state.wake.map({ moment < $0 }) ?? true else { return }
    state.wake = moment
    wakes.insert(batch, at: moment)
  }

  /// A job of it starts.
  ///
  /// - Returns: Whether no other may follow now.
  mutating func started(_ batch: BatchID, at now: Moment) -> Bool {
    guard states[batch] != nil else { return false }
    states[batch]?.rate?.started(at: now)
    return began(batch, at: now)
  }

  /// A worker is on a job that started before, which its rate allowed then.
  ///
  /// - Returns: Whether no other may follow now.
  mutating func began(_ batch: BatchID, at now: Moment) -> Bool {
    guard states[batch] != nil else { return false }
    states[batch]?.underWay += 1
    return look(at: batch, now)
  }

  /// A worker is on a job no more.
  ///
  /// - Returns: Whether others may follow that could not before.
  mutating func ended(_ batch: BatchID, at now: Moment) -> Bool {
    guard let state = states[batch] else { return false }
    states[batch]?.underWay = max(0, state.underWay - 1)
    return state.isHeld && !look(at: batch, now)
  }

  /// The wall clock was set by so much since this process started.
  ///
  /// - Returns: The batches that have a time to start at, and whether they are held now.
  mutating func clockStepped(by milliseconds: Int64, at now: Moment) -> [(batch: BatchID, isHeld: Bool)] {
    clockStep = milliseconds
    return batches.filter { states[$0]?.terms.startsAt != nil }.map { ($0, look(at: $0, now)) }
  }

  /// Batches whose time has come.
  mutating func due(at now: Moment) -> [BatchID] {
    var due: [BatchID] = []
    while let first = wakes.first, first.key <= now {
      _ = wakes.popFirst()
      guard let state = states[first.value], state.wake == first.key else { continue }
      states[first.value]?.wake = nil
      if state.isHeld, !look(at: first.value, now) { due.append(first.value) }
    }
    return due
  }
}

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
