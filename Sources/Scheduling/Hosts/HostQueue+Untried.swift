import Pipeline

/// Hosts that have not answered.
extension HostQueue {
  /// A host has answered, or there was no way to it.
  mutating func tried(host name: String, answers: Bool, at now: Moment) {
    guard let host = hosts[name], host.isTried != answers else { return }
    change(name) { $0.isTried = answers }
    listAll(name, at: now)
    listForPlaces(at: now)
  }

  /// What all hosts may have at once, of which those that have not answered have a part, beside the few of each of them.
  mutating func shareUntried(of places: Int, at now: Moment) {
    guard paces.percentUntried < 100 else { return }
    untried.most = max(UntriedPlaces.fewest, places * paces.percentUntried / 100)
    listForPlaces(at: now)
  }

  /// - Returns: False when the host waits for a place.
  mutating func hasPlace(_ name: String, in section: HostSection) -> Bool {
    guard untried.isFull, let host = hosts[name], host.needsPlace(in: section) else { return true }
    if !host.waitsForPlace { untried.waiting.append(name) }
    hosts[name]?.waitsForPlace = true
    return false
  }

  mutating func listForPlaces(at now: Moment) {
    var free = untried.most - untried.taken
    while free > 0, let name = untried.waiting.popFirst() {
      hosts[name]?.waitsForPlace = false
      list(name, in: .starts, at: now)
      free -= 1
    }
  }
}

/// What hosts take that have not answered: those that never do must not take the places of those that do.
struct UntriedPlaces: Sendable {
  /// So many at once of each of these hosts take no place.
  static let freeOfEach = 2

  /// Fewer are no crowd that keeps others from anything.
  static let fewest = 16

  var most = Int.max
  var taken = 0
  /// Hosts that have more to start than places.
  var waiting = FIFO<String>()

  var isFull: Bool { taken >= most }
}
