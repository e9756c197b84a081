import Posix

/// What goes wrong in this process, and when: `kill after-commit 17` kills it as it passes that point for the 17th time.
/// With the path of a file behind it, only the process that comes first has the fault.
final class Fault: Sendable {
  enum Action: String {
    case kill
    /// The thread stands still for ever.
    case hang
    /// What was done is told as failed, each time that so many have passed.
    case deny
  }

  enum Point: String {
    case received
    case beforeCommit = "before-commit"
    case duringCommit = "during-commit"
    case afterCommit = "after-commit"
    case beforeSend = "before-send"
    case duringSend = "during-send"
    case afterSend = "after-send"
    /// A decoder is about to read a document with `faulty` in its address.
    case reading
    /// A fetcher has got an answer from an address with `faulty` in it.
    case fetched
  }

  let number: Int
  private let action: Action
  private let point: Point
  /// Each process that comes to the fault adds a byte. Opened at once: a confined decoder opens nothing later.
  private let mark: Descriptor?
  private let passed = Lock(0)

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3 || words.count == 4, let action = Action(rawValue: words[0]),
      let point = Point(rawValue: words[1]), let number = Int(words[2]), number > 0
    else { return nil }
    (self.action, self.point, self.number) = (action, point, number)
    mark = words.count == 4 ? try? Descriptor.writing(path: words[3], appending: true) : nil
    if words.count == 4, mark == nil { return nil }
  }

  /// Counts the passing. Does not return when it is the one.
  func passes(_ point: Point) {
    switch action {
    case .kill: if isDue(at: point) { end() }
    case .hang: if isDue(at: point) { Self.standStill() }
    case .deny: break
    }
  }

  /// Counts the passing, for the code that carries the fault out.
  func isDue(at point: Point) -> Bool {
    guard point == self.point else { return false }
    let count = passed.withLock { passed in
      passed += 1
      return passed
    }
    guard action == .deny ? count.isMultiple(of: number) : count == number else { return false }
    guard let mark else { return true }
    return (try? mark.writeAll([1])) != nil && mark.size == 1
  }

  /// - Returns: Whether what was done is to be told as failed.
  func denies(at point: Point) -> Bool {
    guard action == .deny else { return false }
    return isDue(at: point)
  }

  private static func standStill() -> Never {
    while true { try? StopSignal().sleep(milliseconds: .max) }
  }

  func end() -> Never {
    raiseSignal(SignalWatch.kill)
    fatalError("SIGKILL was survived")
  }
}
