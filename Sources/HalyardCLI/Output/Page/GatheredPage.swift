import JSONQuery

/// What a run gathered, as sections of items: read from its value, whatever the recipe is about.
///
/// Sections are the elements of a member `sections`, each with a title and its items; else every member that is an array is
/// a section of that name, and an array alone is one without a title.
struct GatheredPage {
  struct Section {
    var title: String
    var items: [Item]
  }

  struct Item {
    var name: String
    var detail: String
    var image: String?
    var link: String?
  }

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
      for (key, member) in value.members where member.kind == .array {
        sections.append(Section(title: key, items: member.elements.map(Self.item)))
      }
    }
  }

  private static func item(_ value: JSONValue) -> Item {
    guard value.kind == .object else { return Item(name: shown(value) ?? "…", detail: "") }
    let people = [value["first_name"], value["last_name"]].compactMap { $0?.string }.joined(separator: " ")
    let name = text(of: value, ["name", "title"]) ?? (people.isEmpty ? nil : people)
    return Item(
      name: name ?? text(of: value, ["email", "id"]) ?? "…",
      detail: text(of: value, ["artistName", "author", "author_name", "email", "description"]) ?? "",
      image: address(
        of: value, ["artworkUrl100", "artwork", "image", "avatar", "thumbnail", "thumbnail_url", "icon"]),
      link: address(of: value, ["url", "link", "home_page", "html_url"]))
  }

  private static func text(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { name in value[name].flatMap(shown) }.first { !$0.isEmpty }
  }

  private static func shown(_ value: JSONValue) -> String? { value.string ?? value.numberText }

  /// Only absolute addresses: a relative one has no base here.
  private static func address(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { value[$0]?.string }.first { text in
      let start = text.prefix(8).lowercased()
      return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
  }
}
