import JSONQuery

extension RecipeReader {
  mutating func sections(in value: JSONValue) -> [Section] {
    guard value.kind == .array, value.count <= RecipeLimits.sections else {
      expected("an array of at most \(RecipeLimits.sections) objects", "as 'sections'", found: value)
      return []
    }
    var sections: [Section] = []
    var ids: Set<String> = []
    for element in value.elements {
      guard element.kind == .object else {
        expected("an object such as {\"id\": \"apps\"}", "as a section", found: element)
        continue
      }
      guard let id = element["id"] else {
        tell("the section has no 'id'", at: element)
        continue
      }
      guard let text = id.string, !text.isEmpty else {
        expected("a string that is not empty", "as 'id' of a section", found: id)
        continue
      }
      if !ids.insert(text).inserted { tell("another section has the id '\(shown(text))' already", at: id) }
      sections.append(Section(id: text, value: element))
    }
    return sections
  }
}
