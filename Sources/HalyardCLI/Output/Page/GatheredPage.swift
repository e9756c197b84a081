import JSONQuery
import LinkPreviews

/// What a run gathered, as sections of items: read from its value, whatever the recipe is about.
///
/// Sections are the elements of a member `sections`, each with a title and its items; else every member that is an array is
/// a section of that name, and an array alone is one without a title. What is nested in items, and members that are objects,
/// stand below as names and values.
struct GatheredPage {
  struct Section {
    var title: String
    var items: [Item]
    /// Of a section that is an object.
    var details: Details?
  }

  struct Item {
    var name: String
    var detail: String
    var image: String?
    var link: String?
    /// Its members that are lists or objects.
    var details: Details?
  }

  /// A value with what is nested in it.
  indirect enum Details {
    case text(String)
    case list([Details])
    case object([(name: String, value: Details)])
  }

  /// Deeper values are shown as JSON; of longer ones only the first elements.
  private static let (deepest, longest) = (6, 200)

  let title: String
  var sections: [Section] = []

  init(_ value: JSONValue, title: String) {
    self.title = title
    if let found = value["sections"], found.kind == .array {
      sections = found.elements.map { section in
        let items = section.members.first { $0.value.kind == .array }?.value
        return Section(
          title: Self.text(of: section, ["title", "name", "id"]) ?? "",
          items: items?.elements.map(Self.item) ?? [])
      }
    } else if value.kind == .array {
      sections = [Section(title: "", items: value.elements.map(Self.item))]
    } else {
      for (key, member) in value.members {
        switch member.kind {
        case .array: sections.append(Section(title: key, items: member.elements.map(Self.item)))
        case .object:
          sections.append(Section(title: key, items: [], details: Self.details(of: member, depth: 0)))
        case .null, .bool, .number, .string: continue
        }
      }
    }
  }

  private static func details(of value: JSONValue, depth: Int) -> Details {
    guard depth < deepest else { return .text(value.string ?? value.minified) }
    switch value.kind {
    case .array:
      let items = value.elements.prefix(longest).map { details(of: $0, depth: depth + 1) }
      let left = value.count - items.count
      return .list(left > 0 ? items + [.text("… \(left) more")] : items)
    case .object:
      return .object(value.members.prefix(longest).map { ($0.key, details(of: $0.value, depth: depth + 1)) })
    case .null, .bool, .number, .string: return .text(value.string ?? value.minified)
    }
  }

  /// The members that have members or elements of their own.
  private static func nested(in value: JSONValue) -> Details? {
    let members = value.members.filter { $0.value.kind == .array || $0.value.kind == .object }
    guard !members.isEmpty else { return nil }
    return .object(members.prefix(longest).map { ($0.key, details(of: $0.value, depth: 1)) })
  }

  private static func item(_ value: JSONValue) -> Item {
    guard value.kind == .object else {
      let details = value.kind == .array ? details(of: value, depth: 0) : nil
      return Item(name: shown(value) ?? "…", detail: "", details: details)
    }
    let people = [value["first_name"], value["last_name"]].compactMap { $0?.string }.joined(separator: " ")
    let name = text(of: value, ["name", "title"]) ?? (people.isEmpty ? nil : people)
    return Item(
      name: name ?? text(of: value, ["email", "id"]) ?? "…",
      detail: text(of: value, ["artistName", "author", "author_name", "email", "description"]) ?? "",
      image: address(
        of: value, ["artworkUrl100", "artwork", "image", "avatar", "thumbnail", "thumbnail_url", "icon"]),
      link: address(of: value, ["url", "link", "home_page", "html_url"]), details: nested(in: value))
  }

  private static func text(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { name in value[name].flatMap(shown) }.first { !$0.isEmpty }
  }

  private static func shown(_ value: JSONValue) -> String? { value.string ?? value.numberText }

  /// Only absolute addresses: a relative one has no base here.
  private static func address(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { value[$0]?.string }.first(where: Markup.isWebAddress)
  }
}
