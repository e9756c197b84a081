import Pipeline

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
