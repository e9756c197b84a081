import Pipeline
import Roles

/// A run of a simulation: a recipe that asks for a list, page by page, and then for everything that stands in it.
///
/// What it will find stands in the address of the list, one letter for each value.
struct SimulatedRun: Sendable {
  enum Policy: String, Sendable {
    case all, settled
  }

  let number: Int
  let policy: Policy
  let isInSourceOrder: Bool
  /// What is called after the list.
  let links: [SimulatedLink]
  private let pages: [[SimulatedLink]]

  /// - Parameter losesNone: No call is ever dropped while a worker is on it.
  init(_ number: Int, losesNone: Bool, chance: SimulatedChance) {
    self.number = number
    policy = chance.happens(0.5) && !losesNone ? .all : .settled
    isInSourceOrder = chance.happens(0.8)
    let failing = chance.happens(0.4) ? 0.12 : 0
    pages = (0...chance.below(3)).map { _ in
      (0..<chance.below(9)).map { _ in
        if chance.happens(failing) { return .absent }
        return chance.element(of: [.value, .value, .value, .value, .lasting, .wobbly]) ?? .value
      }
    }
    links = pages.flatMap { $0 }
  }

  var draft: JobDraft {
    var draft = JobDraft(kind: .run, input: "run \(number)", ref: "r\(number)")
    draft.reading.recipe = """
      {"steps": {
        "list": {"call": "\(list)", "select": "/items", "next": {"pointer": "/next"}},
        "each": {"each": "$list", "call": "http://{+input}", "select": "/id", "policy": "\(policy.rawValue)",
                 "order": "\(isInSourceOrder ? "source" : "completion")"}
      }, "output": "$each"}
      """
    return draft
  }

  /// What the call for each value of the list answers; nil when it never does.
  var values: [Int?] {
    links.enumerated().map { $1 == .absent ? nil : SimulatedRun.value(number, $0) }
  }

  /// Every address that it may ask for.
  var addresses: [String] {
    let others = pages.indices.dropFirst().map { list(from: $0) }
    return [list] + others + links.enumerated().map { "http://" + Self.call($1, number, $0) }
  }

  private var list: String { list(from: 0) }

  private func list(from page: Int) -> String {
    let rest = pages[page...].map { $0.map(Self.letter).joined() + "-" }.joined()
    let first = pages[..<page].reduce(0) { $0 + $1.count }
    return "http://r0.test/\(SimulatedLink.list.rawValue)/\(number)/\(first)/\(rest)"
  }

  private static func value(_ number: Int, _ position: Int) -> Int { number * 100 + position }

  private static func call(_ link: SimulatedLink, _ number: Int, _ position: Int) -> String {
    let value = value(number, position)
    return "r\(value % 5).test/\(link.rawValue)/\(value)"
  }

  private static let letters: [(letter: Character, link: SimulatedLink)] = [
    ("v", .value), ("l", .lasting), ("w", .wobbly), ("a", .absent),
  ]

  private static func letter(_ link: SimulatedLink) -> String {
    letters.first { $0.link == link }.map { String($0.letter) } ?? ""
  }

  /// What the list says at an address: the first page of it, and where the next one is.
  static func list(at url: String) -> String {
    let parts = url.split(separator: "/")
    guard parts.count == 6, let number = Int(parts[3]), let first = Int(parts[4]) else { return "{}" }
    let pages = parts[5].split(separator: "-", omittingEmptySubsequences: false)
    let items = pages[0].enumerated().compactMap { index, letter in
      letters.first { $0.letter == letter }.map { "\"\(call($0.link, number, first + index))\"" }
    }
    let rest = pages.dropFirst().joined(separator: "-")
    let base = parts[..<4].joined(separator: "/").replacing("http:/", with: "http://")
    let next = rest.isEmpty ? "null" : "\"\(base)/\(first + items.count)/\(rest)\""
    return "{\"items\":[\(items.joined(separator: ","))],\"next\":\(next)}"
  }
}
