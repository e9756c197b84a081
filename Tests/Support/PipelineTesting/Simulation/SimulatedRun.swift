import Pipeline
import Roles

/// A run of a simulation: a recipe that asks for a list, page by page, and then for everything that stands in it.
///
/// What it will find stands in the address of the list, one letter for each value.
struct SimulatedRun: Sendable {
  enum Policy: String, Sendable {
    case all, settled, first
  }

  let number: Int
  let policy: Policy
  let isInSourceOrder: Bool
  /// What is called after the list.
  let links: [SimulatedLink]
  /// The list tells how many pages it has, so that they can be asked for side by side.
  private let isCounted: Bool
  private let pages: [[SimulatedLink]]

  init(_ number: Int, chance: SimulatedChance) {
    self.number = number
    policy = chance.element(of: [.all, .settled, .first]) ?? .all
    isInSourceOrder = chance.happens(0.8)
    isCounted = chance.happens(0.5)
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
        "list": {"call": "\(isCounted ? counted("{page}") : list)", "select": "/items",
                 "next": {"\(isCounted ? "pages" : "pointer")": "/\(isCounted ? "pages" : "next")"}},
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
    let lists = pages.indices.map { isCounted ? counted("\($0 + 1)") : list(from: $0) }
    return lists + links.enumerated().map { "http://" + Self.call($1, number, $0) }
  }

  private var list: String { list(from: 0) }

  private func counted(_ page: String) -> String {
    "http://r0.test/\(SimulatedLink.counted.rawValue)/\(number)/\(page)/\(letters(of: pages[...]))"
  }

  private func letters(of pages: ArraySlice<[SimulatedLink]>) -> String {
    pages.map { $0.map(Self.letter).joined() + "-" }.joined()
  }

  private func list(from page: Int) -> String {
    let rest = letters(of: pages[page...])
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
    let items = Self.items(of: pages[0], number, from: first)
    let rest = pages.dropFirst().joined(separator: "-")
    let base = parts[..<4].joined(separator: "/").replacing("http:/", with: "http://")
    let next = rest.isEmpty ? "null" : "\"\(base)/\(first + items.count)/\(rest)\""
    return "{\"items\":[\(items.joined(separator: ","))],\"next\":\(next)}"
  }

  /// What a page of a counted list says.
  static func counted(at url: String) -> String {
    let parts = url.split(separator: "/")
    guard parts.count == 6, let number = Int(parts[3]), let page = Int(parts[4]) else { return "{}" }
    let pages = parts[5].split(separator: "-", omittingEmptySubsequences: false).dropLast()
    guard pages.indices.contains(page - 1) else { return "{}" }
    let first = pages[..<(page - 1)].reduce(0) { $0 + $1.count }
    let items = Self.items(of: pages[page - 1], number, from: first)
    return "{\"items\":[\(items.joined(separator: ","))],\"pages\":\(pages.count)}"
  }

  private static func items(of letters: Substring, _ number: Int, from first: Int) -> [String] {
    letters.enumerated().compactMap { index, letter in
      Self.letters.first { $0.letter == letter }.map { "\"\(call($0.link, number, first + index))\"" }
    }
  }
}
