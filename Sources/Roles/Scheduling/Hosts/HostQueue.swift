import Pipeline

/// What waits, by host: hosts take turns, each with a bounded number of items at once and a pause between
/// them.
///
/// Items wait in one of two sections: jobs to be started, and walks under way that a redirect leads to the host. Both share
/// the slots and the pauses of the host. The caller decides which section is asked first.
///
/// Batches take turns by their weights, between hosts as `BatchTurns` says and at each host as `HostItems` does: a batch
/// that came later does not wait for all hosts of an earlier one.
struct HostQueue<Item: Sendable>: Sendable {
  /// When a host may be asked for something that does not wait here.
  enum Availability: Hashable, Sendable {
    case now
    /// Once a slot is free, and not before the moment: it pauses as between any two.
    case soon(notBefore: Moment?)
    /// It pauses for longer than that, and is best left alone until then.
    case later(Moment)
  }

  let paces: HostPaces
  var hosts: [String: Host] = [:]
  var rotations = BySection(starts: Rotation(), redirects: Rotation())
  /// Hosts that users have paused: no job starts there until they are let go.
  var heldHosts: Set<String> = []
  var untried = UntriedPlaces()
  private var shrunk: [String] = []

  init(paces: HostPaces) {
    self.paces = paces
  }

  /// When the first pausing host of a section may go on; nil when none pauses.
  func nextPauseEnd(in section: HostSection = .starts) -> Moment? { rotations[section].pauses.first?.key }

  /// Items that wait in a section, without those that are known to be gone.
  func count(in section: HostSection = .starts) -> Int { rotations[section].turns.count }

  /// Those of them that are of a batch.
  func count(of batch: BatchID?) -> Int { rotations.starts.turns.count(of: batch) }

  /// Jobs of a batch that wait for a host.
  func count(of batch: BatchID?, host name: String) -> Int {
    hosts[name]?.items.starts.count(of: batch) ?? 0
  }

  /// Jobs that wait for a host.
  func count(host name: String) -> Int { hosts[name]?.items.starts.count ?? 0 }

  /// Something waits for the host or is under way there, or it pauses.
  func knows(host name: String) -> Bool { hosts[name] != nil || isHeld(host: name) }

  func isHeld(host name: String) -> Bool { !heldHosts.isEmpty && heldHosts.contains(name) }

  /// How many jobs a host can start soon.
  func mostSoon(host name: String) -> Int {
    guard let host = hosts[name] else { return paces.pace(host: name).mostSoon }
    var pace = host.pace
    pace.atOnce = host.limit ?? pace.atOnce
    return pace.mostSoon
  }

  mutating func add(
    _ item: Item, host name: String, of batch: BatchID? = nil, in section: HostSection = .starts,
    at now: Moment
  ) {
    let pace = paces.pace(host: name)
    let number = rotations[section].turns.enter(batch)
    rotations[section].turns.count(1, of: number)
    hosts[name, default: Host(pace: pace, nextStart: now)].items[section].append(item, of: batch, number)
    list(name, in: section, at: now)
  }

  /// An item that waits for a host is not wanted any more: it is not counted from now on, and dropped when it comes first.
  mutating func discard(host name: String, of batch: BatchID? = nil, in section: HostSection = .starts) {
    guard let number = hosts[name]?.items[section].discard(of: batch) else { return }
    rotations[section].turns.count(-1, of: number)
    shrank(name, in: section)
  }

  /// The next item of a section that may go on now. Its host keeps a slot until `ended`.
  ///
  /// - Parameter isWanted: False for what has been dealt with meanwhile; it is dropped and costs its host nothing.
  mutating func next(
    in section: HostSection = .starts, at now: Moment, where isWanted: (Item) -> Bool = { _ in true }
  ) -> (item: Item, host: String)? {
    endPauses(in: section, at: now)
    while let (name, number) = rotations[section].turns.next() {
      guard let isShared = hosts[name]?.items[section].takeOffList(of: number),
        hasPlace(name, in: section)
      else { continue }
      let item = start(name, onTurnOf: number, isShared, in: section, at: now, where: isWanted)
      list(name, in: section, at: now)
      shrank(name, in: section)
      if let item { return (item, name) }
      forgetIfIdle(name, at: now)
    }
    return nil
  }

  /// - Parameter isShared: Several batches want the host.
  private mutating func start(
    _ name: String, onTurnOf turn: Int, _ isShared: Bool, in section: HostSection, at now: Moment,
    where isWanted: (Item) -> Bool
  ) -> Item? {
    guard section == .redirects || !isHeld(host: name) else { return nil }
    while true {
      let number =
        isShared
        ? hosts[name]?.choice(in: section, onTurnOf: turn, rotations[section].turns) ?? turn : turn
      let stride = rotations[section].turns.stride(of: number)
      var lost = 0
      let item =
        change(name) { $0.start(of: number, stride: stride, from: section, at: now, where: isWanted, &lost) }
        ?? nil
      rotations[section].turns.count(-lost, of: number)
      if let item {
        rotations[section].turns.started(number, onTurnOf: turn)
        return item
      }
      // What another batch had was wanted no more.
      guard number != turn, lost > 0 else { return nil }
    }
  }

  private mutating func endPauses(in section: HostSection, at now: Moment) {
    while let name = rotations[section].popPauseEnd(at: now) {
      hosts[name]?.items[section].isParked = false
      list(name, in: section, at: now)
      if hosts[name]?.items[section].isEmpty ?? true { shrank(name, in: section) }
      forgetIfIdle(name, at: now)
    }
  }

  /// When something that does not wait here may start on a host.
  func availability(host name: String, at now: Moment) -> Availability {
    if isHeld(host: name) { return .later(now.advanced(byMilliseconds: .max)) }
    return hosts[name]?.availability(at: now) ?? .now
  }

  /// Starts an item whose availability is `now` or `soon` and that did not wait here.
  mutating func start(host name: String, at now: Moment) {
    began(host: name, at: now)
    hosts[name]?.pauseAfterStart(at: now)
  }

  /// Takes a slot for an item that has started already.
  mutating func began(host name: String, at now: Moment) {
    if hosts[name] == nil { hosts[name] = Host(pace: paces.pace(host: name), nextStart: now) }
    change(name) { $0.running += 1 }
  }

  /// Frees the host's slot of an item that `next` gave out.
  mutating func ended(host name: String, at now: Moment) {
    change(name) { $0.running -= 1 }
    listAll(name, at: now)
    listForPlaces(at: now)
  }

  /// Keeps a host from starting anything before `moment`.
  mutating func pause(host name: String, until moment: Moment) {
    let pace = paces.pace(host: name)
    hosts[name, default: Host(pace: pace, nextStart: moment)].extendPause(to: moment)
    parkIfEmpty(name)
  }

  /// Before which a host starts nothing; nil for one that nothing is known of.
  func nextStart(host name: String) -> Moment? { hosts[name]?.nextStart }

  /// Lets a host have so many items at once; nil for as many as others. A limited host is kept until it is not.
  mutating func limit(host name: String, to count: Int?, at now: Moment) {
    let pace = paces.pace(host: name)
    hosts[name, default: Host(pace: pace, nextStart: now)].limit = count
    listAll(name, at: now)
  }

  /// Changes what is under way at a host, and with it the places that are taken.
  @discardableResult
  mutating func change<Answer>(_ name: String, _ body: (inout Host) -> Answer) -> Answer? {
    hosts[name]?.change(places: &untried.taken, body)
  }

  /// Takes out all that waits for a host.
  mutating func takeAll(host name: String, at now: Moment) -> [Item] {
    let taken = takeAll(host: name, in: .redirects) + takeAll(host: name, in: .starts)
    forgetIfIdle(name, at: now)
    return taken
  }

  /// Takes out what waits for a host in one section; the host keeps its pause and what is under way.
  mutating func takeAll(host name: String, in section: HostSection) -> [Item] {
    let counts = hosts[name]?.items[section].counts ?? []
    guard let taken = hosts[name]?.items[section].takeAll(), !taken.isEmpty else { return [] }
    for (number, count) in counts { rotations[section].turns.count(-count, of: number) }
    shrank(name, in: section)
    parkIfEmpty(name)
    return taken
  }

  /// Hosts of which fewer jobs wait than before, and those whose pause is over, since the last time this was asked.
  mutating func takeShrunk() -> [String] { exchange(&shrunk, with: []) }

  mutating func shrank(_ name: String, in section: HostSection) {
    if section == .starts { shrunk.append(name) }
  }

  mutating func listAll(_ name: String, at now: Moment) {
    guard let host = hosts[name] else { return }
    let (redirectsWait, startsWait) = (!host.items.redirects.isEmpty, !host.items.starts.isEmpty)
    if redirectsWait { list(name, in: .redirects, at: now) }
    if startsWait { list(name, in: .starts, at: now) }
    forgetIfIdle(name, at: now)
  }

  /// What waits for a host may have its turn, once the host has a slot and does not pause.
  mutating func list(_ name: String, in section: HostSection, at now: Moment) {
    guard let host = hosts[name], !host.items[section].isEmpty, host.hasSlot else { return }
    guard section == .redirects || !isHeld(host: name) else { return }
    if host.waitsForPlace && untried.isFull && host.needsPlace(in: section) { return }
    guard host.nextStart <= now else { return park(name, in: section, until: host.nextStart) }
    while let next = hosts[name]?.items[section].nextUnlisted() {
      rotations[section].turns.append(name, of: next.number)
      guard next.mayBeMore else { return }
    }
  }

  /// Drops a host that is not needed, or keeps it until its pause is over, so that the pause is not forgotten.
  mutating func forgetIfIdle(_ name: String, at now: Moment) {
    guard let host = hosts[name] else { return }
    if host.nextStart > now {
      parkIfEmpty(name)
    } else if host.isIdle {
      hosts[name] = nil
    }
  }

  /// When nothing waits for a start, nothing else would tell that the host's pause is over.
  private mutating func parkIfEmpty(_ name: String) {
    guard let host = hosts[name], host.items.starts.isEmpty else { return }
    park(name, in: .starts, until: host.nextStart)
  }

  private mutating func park(_ name: String, in section: HostSection, until moment: Moment) {
    guard hosts[name]?.items[section].isParked == false else { return }
    hosts[name]?.items[section].isParked = true
    rotations[section].pauses.insert(name, at: moment)
  }
}

/// The two kinds of what waits for a host.
enum HostSection: Sendable {
  case starts
  case redirects
}

/// One value for each section, which is changed in place: a copy beside it would make every start copy the whole queue.
struct BySection<Value: Sendable>: Sendable {
  var starts: Value
  var redirects: Value

  subscript(section: HostSection) -> Value {
    _read {
      switch section {
      case .starts: yield starts
      case .redirects: yield redirects
      }
    }
    _modify {
      switch section {
      case .starts: yield &starts
      case .redirects: yield &redirects
      }
    }
  }
}

/// One host of the queue.
extension HostQueue {
  /// What waits for a host, what is under way there, and when it may start the next.
  struct Host {
    var items = BySection(starts: HostItems<Item>(), redirects: HostItems<Item>())
    var running = 0
    let pace: HostPace
    var nextStart: Moment
    /// Items at once instead of those of its pace; nil for as many.
    var limit: Int?
    /// It has answered, and not failed since.
    var isTried = false
    /// Hosts that have not answered either have all that such hosts may have at once.
    var waitsForPlace = false

    /// What it takes of the untried hosts' common places.
    var untriedPlaces: Int { isTried ? 0 : max(0, running - UntriedPlaces.freeOfEach) }

    var hasSlot: Bool { running < limit ?? pace.atOnce }

    /// A redirect holds a transfer while it waits, so it does not wait for a host to be tried.
    func needsPlace(in section: HostSection) -> Bool {
      !isTried && section == .starts && running >= UntriedPlaces.freeOfEach
    }

    var isIdle: Bool {
      running == 0 && limit == nil && items.starts.isIdle && items.redirects.isIdle
    }

    mutating func change<Answer>(places: inout Int, _ body: (inout Host) -> Answer) -> Answer {
      let before = untriedPlaces
      defer { places += untriedPlaces - before }
      return body(&self)
    }

    /// Which batch starts something on the turn of one of them. Only where what one takes the others must wait for does
    /// it matter who had how much before.
    func choice(in section: HostSection, onTurnOf turn: Int, _ turns: BatchTurns) -> Int {
      guard running + 1 >= limit ?? pace.atOnce || pace.delayMilliseconds > 0 else { return turn }
      return items[section].choice(onTurnOf: turn, turns)
    }

    mutating func start(
      of number: Int, stride: UInt64, from section: HostSection, at now: Moment,
      where isWanted: (Item) -> Bool, _ lost: inout Int
    ) -> Item? {
      guard hasSlot, nextStart <= now else { return nil }
      guard let next = items[section].next(of: number, stride: stride, where: isWanted, &lost) else {
        return nil
      }
      running += 1
      pauseAfterStart(at: now)
      return next
    }

    func availability(at now: Moment) -> Availability {
      if nextStart > now.advanced(byMilliseconds: pace.delayMilliseconds) { return .later(nextStart) }
      if nextStart > now { return .soon(notBefore: nextStart) }
      return hasSlot ? .now : .soon(notBefore: nil)
    }

    mutating func pauseAfterStart(at now: Moment) {
      extendPause(to: now.advanced(byMilliseconds: pace.delayMilliseconds))
    }

    mutating func extendPause(to moment: Moment) {
      nextStart = max(nextStart, moment)
    }
  }
}
