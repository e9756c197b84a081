/// What waits for its turn, by host: hosts take turns, each with a bounded number of items at once and a pause between
/// them.
///
/// Items wait in one of two lines: jobs to be started, and walks under way that a redirect leads to the host. Both share
/// the slots and the pauses of the host. Whoever asks decides which line is asked first.
public struct HostQueue<Item: Sendable>: Sendable {
  /// When a host may be asked for something that stands in none of its lines.
  public enum Turn: Hashable, Sendable {
    case now
    /// Once a slot is free, and not before the moment: it pauses as between any two.
    case soon(notBefore: Moment?)
    /// It pauses for longer than that, and is best left alone until then.
    case later(Moment)
  }

  public enum Line: Sendable {
    case starts
    case visits
  }

  private struct Waiting {
    private(set) var items = FIFO<Item>()
    /// So many of them are not wanted any more, and not counted.
    private var gone = 0
    /// The host stands in the line's `turns` or in its `pauses`.
    var isListed = false

    var count: Int { items.count - gone }

    mutating func append(_ item: Item) {
      items.append(item)
    }

    mutating func isGone() {
      gone = min(gone + 1, items.count)
    }

    mutating func next(where isWanted: (Item) -> Bool) -> Item? {
      while let unwanted = items.first, !isWanted(unwanted) {
        _ = items.popFirst()
        gone = max(gone - 1, 0)
      }
      let next = items.popFirst()
      gone = min(gone, items.count)
      return next
    }

    mutating func takeAll() -> [Item] {
      gone = 0
      return items.popFirst(atMost: items.count)
    }
  }

  private struct Host {
    var starts = Waiting()
    var visits = Waiting()
    var running = 0
    var nextStart: Moment
    /// Items at once instead of what others may have; nil for as many.
    var limit: Int?

    var isIdle: Bool {
      running == 0 && limit == nil && !starts.isListed && !visits.isListed && starts.items.isEmpty
        && visits.items.isEmpty
    }

    func isUnlisted(in line: Line) -> Bool {
      switch line {
      case .starts: !starts.isListed && !starts.items.isEmpty
      case .visits: !visits.isListed && !visits.items.isEmpty
      }
    }

    func count(in line: Line) -> Int {
      switch line {
      case .starts: starts.count
      case .visits: visits.count
      }
    }

    /// Works in place: a copy of the host beside it would make every start copy the whole queue.
    mutating func change<Answer>(_ line: Line, _ body: (inout Waiting) -> Answer) -> Answer {
      switch line {
      case .starts: body(&starts)
      case .visits: body(&visits)
      }
    }

    mutating func start(
      from line: Line, at now: Moment, atMost usual: Int, delayMilliseconds: Int64,
      where isWanted: (Item) -> Bool
    ) -> Item? {
      guard running < limit ?? usual, nextStart <= now else { return nil }
      guard let item = change(line, { $0.next(where: isWanted) }) else { return nil }
      running += 1
      extendPause(to: now.advanced(byMilliseconds: delayMilliseconds))
      return item
    }

    func turn(at now: Moment, atMost usual: Int, delayMilliseconds: Int64) -> Turn {
      if nextStart > now.advanced(byMilliseconds: delayMilliseconds) { return .later(nextStart) }
      if nextStart > now { return .soon(notBefore: nextStart) }
      return running < limit ?? usual ? .now : .soon(notBefore: nil)
    }

    mutating func extendPause(to moment: Moment) {
      nextStart = max(nextStart, moment)
    }
  }

  /// The hosts of one line, in the order of their turns.
  private struct Turns {
    var ready = FIFO<String>()
    var pauses = MinHeap<Moment, String>()
    var count = 0
  }

  private let perHost: Int
  private let delayMilliseconds: Int64
  private var hosts: [String: Host] = [:]
  private var starts = Turns()
  private var visits = Turns()

  /// - Parameters:
  ///   - perHost: Items at once per host.
  ///   - delayMilliseconds: The least time between two of them on one host.
  public init(perHost: Int, delayMilliseconds: Int64) {
    self.perHost = max(1, perHost)
    self.delayMilliseconds = delayMilliseconds
  }

  /// When the first pausing host of a line may go on; nil when none pauses.
  public func nextPauseEnd(in line: Line = .starts) -> Moment? {
    switch line {
    case .starts: starts.pauses.first?.key
    case .visits: visits.pauses.first?.key
    }
  }

  /// Items that wait in a line, without those that are known to be gone.
  public func count(in line: Line = .starts) -> Int {
    switch line {
    case .starts: starts.count
    case .visits: visits.count
    }
  }

  /// Hosts that are kept, whether anything waits for them or not.
  public var hostCount: Int { hosts.count }

  public mutating func add(_ item: Item, host name: String, in line: Line = .starts, at now: Moment) {
    hosts[name, default: Host(nextStart: now)].change(line) { $0.append(item) }
    change(line) { $0.count += 1 }
    list(name, in: line, at: now)
  }

  /// An item that waits for a host is not wanted any more: it is not counted from now on, and dropped when its turn comes.
  public mutating func isGone(host name: String, in line: Line = .starts) {
    recount(name, in: line) { $0?.change(line) { $0.isGone() } }
  }

  /// The next item of a line that may go on now. Its host keeps a slot until `ended`.
  ///
  /// - Parameter isWanted: False for what has been dealt with meanwhile; it is dropped and costs its host nothing.
  public mutating func next(
    in line: Line = .starts, at now: Moment, where isWanted: (Item) -> Bool = { _ in true }
  ) -> (item: Item, host: String)? {
    change(line) { turns in
      while let pause = turns.pauses.first, pause.key <= now {
        _ = turns.pauses.popFirst()
        turns.ready.append(pause.value)
      }
    }
    while let name = change(line, { $0.ready.popFirst() }) {
      hosts[name]?.change(line) { $0.isListed = false }
      let (perHost, delay) = (perHost, delayMilliseconds)
      let item = recount(name, in: line) {
        $0?.start(from: line, at: now, atMost: perHost, delayMilliseconds: delay, where: isWanted)
      }
      list(name, in: line, at: now)
      if let item { return (item, name) }
      forgetIfIdle(name, at: now)
    }
    return nil
  }

  /// When something that does not wait here may start on a host.
  public func turn(host name: String, at now: Moment) -> Turn {
    hosts[name]?.turn(at: now, atMost: perHost, delayMilliseconds: delayMilliseconds) ?? .now
  }

  /// Starts an item whose `turn` it is and that did not wait here.
  public mutating func start(host name: String, at now: Moment) {
    began(host: name, at: now)
    hosts[name]?.extendPause(to: now.advanced(byMilliseconds: delayMilliseconds))
  }

  /// Takes a slot for an item that has started already.
  public mutating func began(host name: String, at now: Moment) {
    hosts[name, default: Host(nextStart: now)].running += 1
  }

  /// Frees the host's slot of an item that `next` gave out.
  public mutating func ended(host name: String, at now: Moment) {
    hosts[name]?.running -= 1
    listAll(name, at: now)
  }

  /// Keeps a host from starting anything before `moment`.
  public mutating func pause(host name: String, until moment: Moment) {
    hosts[name, default: Host(nextStart: moment)].extendPause(to: moment)
    if let host = hosts[name], host.isIdle { park(name, in: .starts, until: host.nextStart, at: nil) }
  }

  /// Lets a host have so many items at once; nil for as many as others. A limited host is kept until it is not.
  public mutating func limit(host name: String, to count: Int?, at now: Moment) {
    hosts[name, default: Host(nextStart: now)].limit = count
    listAll(name, at: now)
  }

  /// Takes out all that waits for a host.
  public mutating func takeAll(host name: String, at now: Moment) -> [Item] {
    var taken: [Item] = []
    for line in [Line.visits, .starts] {
      taken += recount(name, in: line) { $0?.change(line) { $0.takeAll() } } ?? []
    }
    forgetIfIdle(name, at: now)
    return taken
  }

  private mutating func change<Answer>(_ line: Line, _ body: (inout Turns) -> Answer) -> Answer {
    switch line {
    case .starts: body(&starts)
    case .visits: body(&visits)
    }
  }

  /// Changes a host's line, in place, and with it the count of all that wait.
  private mutating func recount<Answer>(
    _ name: String, in line: Line, _ body: (inout Host?) -> Answer?
  ) -> Answer? {
    func measured(_ host: inout Host?) -> (answer: Answer?, more: Int) {
      let before = host?.count(in: line) ?? 0
      let answer = body(&host)
      return (answer, (host?.count(in: line) ?? 0) - before)
    }
    let (answer, more) = measured(&hosts[name])
    change(line) { $0.count += more }
    return answer
  }

  private mutating func listAll(_ name: String, at now: Moment) {
    list(name, in: .visits, at: now)
    list(name, in: .starts, at: now)
    forgetIfIdle(name, at: now)
  }

  private mutating func list(_ name: String, in line: Line, at now: Moment) {
    guard let host = hosts[name], host.isUnlisted(in: line), host.running < host.limit ?? perHost else {
      return
    }
    park(name, in: line, until: host.nextStart, at: now)
  }

  /// Drops a host nobody needs, or keeps it until its pause is over, so that the pause is not forgotten.
  private mutating func forgetIfIdle(_ name: String, at now: Moment) {
    guard let host = hosts[name], host.isIdle else { return }
    if host.nextStart <= now {
      hosts[name] = nil
    } else {
      park(name, in: .starts, until: host.nextStart, at: now)
    }
  }

  /// - Parameter now: nil when the host is to stand among those that pause in any case.
  private mutating func park(_ name: String, in line: Line, until moment: Moment, at now: Moment?) {
    hosts[name]?.change(line) { $0.isListed = true }
    change(line) { turns in
      if let now, moment <= now {
        turns.ready.append(name)
      } else {
        turns.pauses.insert(name, at: moment)
      }
    }
  }
}
