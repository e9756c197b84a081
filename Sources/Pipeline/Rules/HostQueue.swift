/// Ready jobs by host: hosts take turns, each with a bounded number of jobs at once and a pause between them.
public struct HostQueue<Item: Sendable>: Sendable {
  private struct Host {
    var items = FIFO<Item>()
    var running = 0
    var nextStart: Moment
    /// Stands in `turns` or in `pauses`.
    var isListed = false

    /// Works in place: a copy of the host beside it would make every start copy the whole queue.
    mutating func start(
      at now: Moment, atMost limit: Int, delayMilliseconds: Int64, where isWanted: (Item) -> Bool,
      skipped: inout Int
    ) -> Item? {
      guard running < limit, nextStart <= now else { return nil }
      while let unwanted = items.first, !isWanted(unwanted) {
        _ = items.popFirst()
        skipped += 1
      }
      guard let item = items.popFirst() else { return nil }
      running += 1
      extendPause(to: now.advanced(byMilliseconds: delayMilliseconds))
      return item
    }

    mutating func extendPause(to moment: Moment) {
      nextStart = max(nextStart, moment)
    }
  }

  private let perHost: Int
  private let delayMilliseconds: Int64
  private var hosts: [String: Host] = [:]
  private var turns = FIFO<String>()
  private var pauses = MinHeap<Moment, String>()
  public private(set) var count = 0

  /// - Parameters:
  ///   - perHost: Jobs at once per host.
  ///   - delayMilliseconds: The least time between two starts on one host.
  public init(perHost: Int, delayMilliseconds: Int64) {
    self.perHost = max(1, perHost)
    self.delayMilliseconds = delayMilliseconds
  }

  /// When the first pausing host may go on; nil when none pauses.
  public var nextPauseEnd: Moment? { pauses.first?.key }

  public mutating func add(_ item: Item, host name: String, at now: Moment) {
    hosts[name, default: Host(nextStart: now)].items.append(item)
    count += 1
    list(name, at: now)
  }

  /// The next job that may start now. Its host keeps a slot until `ended`.
  ///
  /// - Parameter isWanted: False for what has been dealt with meanwhile; it is dropped and costs its host nothing.
  public mutating func next(
    at now: Moment, where isWanted: (Item) -> Bool = { _ in true }
  ) -> (item: Item, host: String)? {
    while let pause = pauses.first, pause.key <= now {
      _ = pauses.popFirst()
      turns.append(pause.value)
    }
    while let name = turns.popFirst() {
      hosts[name]?.isListed = false
      var skipped = 0
      let item = hosts[name]?.start(
        at: now, atMost: perHost, delayMilliseconds: delayMilliseconds, where: isWanted, skipped: &skipped)
      count -= skipped
      if let item {
        count -= 1
        list(name, at: now)
        return (item, name)
      }
      list(name, at: now)
      forgetIfIdle(name, at: now)
    }
    return nil
  }

  /// Takes a slot for a job that did not wait here.
  public mutating func began(host name: String, at now: Moment) {
    hosts[name, default: Host(nextStart: now)].running += 1
  }

  /// Frees the host's slot of a job that `next` gave out.
  public mutating func ended(host name: String, at now: Moment) {
    hosts[name]?.running -= 1
    list(name, at: now)
    forgetIfIdle(name, at: now)
  }

  /// Keeps a host from starting anything before `moment`.
  public mutating func pause(host name: String, until moment: Moment) {
    hosts[name, default: Host(nextStart: moment)].extendPause(to: moment)
    guard let host = hosts[name], !host.isListed, host.items.isEmpty, host.running == 0 else { return }
    hosts[name]?.isListed = true
    pauses.insert(name, at: host.nextStart)
  }

  private mutating func list(_ name: String, at now: Moment) {
    guard let host = hosts[name], !host.isListed, !host.items.isEmpty, host.running < perHost else { return }
    park(name, until: host.nextStart, at: now)
  }

  /// Drops a host nobody needs, or keeps it until its pause is over, so that the pause is not forgotten.
  private mutating func forgetIfIdle(_ name: String, at now: Moment) {
    guard let host = hosts[name], !host.isListed, host.items.isEmpty, host.running == 0 else { return }
    if host.nextStart <= now {
      hosts[name] = nil
    } else {
      park(name, until: host.nextStart, at: now)
    }
  }

  private mutating func park(_ name: String, until moment: Moment, at now: Moment) {
    hosts[name]?.isListed = true
    if moment <= now {
      turns.append(name)
    } else {
      pauses.insert(name, at: moment)
    }
  }
}
