import JSONQuery
import Links

extension RecipeStep {
  /// The values that calls are made for, in their order.
  func items(in context: ValueContext) throws(RecipeFailure) -> [JSONValue] {
    guard let each else { return [] }
    let items: [JSONValue]
    switch try context.find(each) {
    case .many(let found): items = found
    case .one(let value) where value.kind == .array: items = Array(value.elements)
    case .one(let value): throw .mismatch("each '\(each.text)' needs an array, found \(value.brief)")
    case .parameter: throw .mismatch("each '\(each.text)' needs an array, found a parameter")
    }
    guard items.count <= RecipeLimits.callsOfStep else {
      throw .tooLarge(
        "each '\(each.text)' has \(items.count) values, and a step makes \(RecipeLimits.callsOfStep) calls")
    }
    return items
  }

  /// What a call is made with: what is given, else the value of `each`, else the first output of what the step waits for
  /// with which the call can be written; nil when there is none.
  ///
  /// - Returns: With it the bytes that it takes beyond the value of which it is a part.
  func input(in context: ValueContext) throws(RecipeFailure) -> (value: JSONValue?, bytes: Int) {
    if let input {
      if let part = try input.found(in: context) { return (part, 0) }
      let whole = try input.written(in: context)
      return (whole, whole.length)
    }
    if each != nil { return (context.item, 0) }
    let fitting = after.lazy.compactMap { context.outputs[$0] }.first { output in
      var context = context
      context.input = output
      return (try? address(in: context)) != nil
    }
    return (fitting, 0)
  }

  /// The address to call with the input and the first page in `context`.
  func address(in context: ValueContext, page: Int = 1) throws(RecipeFailure) -> String {
    let (bytes, places) = try call.expandedBytes { (name) throws(RecipeFailure) -> String? in
      if name == "page" { return String(page) }
      if let value = context.parameters[name] { return value.text }
      return try inputText(name, context.input)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let foreign = places.filter { $0.name != "page" && context.parameters[$0.name] == nil }.map(\.range)
    guard !DotSegments.areMade(by: foreign, in: bytes) else {
      throw .invalid(
        "'\(printableLink(text))' cannot be called: with '.' or '..' a value would lead to another path")
    }
    do {
      return try WebURL(text).requestURL
    } catch {
      throw .invalid("'\(printableLink(text))' cannot be called: \(error.message)")
    }
  }

  /// A variable such as `input.id`: a member of a member, and so on, of the input.
  private func inputText(_ name: String, _ input: JSONValue?) throws(RecipeFailure) -> String {
    var value = input
    for member in name.split(separator: ".").dropFirst() { value = value?[String(member)] }
    guard let value else {
      throw .missingInput("'\(self.name)' has no '\(name)' to call with")
    }
    switch value.kind {
    case .string: return value.string ?? ""
    case .number: return value.numberText ?? ""
    case .bool: return value.bool == true ? "true" : "false"
    case .object, .array, .null:
      throw .missingInput("'\(self.name)' cannot be called with '\(name)', which is \(value.brief)")
    }
  }
}
