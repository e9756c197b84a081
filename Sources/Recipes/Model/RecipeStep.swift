package import JSONQuery

/// One call of a recipe, or one for each of many values.
package struct RecipeStep: Sendable {
  /// How others refer to it.
  package let name: String
  package let call: URITemplate
  /// What the answer must hold, as it is written.
  package let require: [String]
  /// What is taken of the answer, as it is written; nil for all of it.
  package let select: String?
  /// How the answer leads to the next one.
  package let paging: Paging?
  /// Where in what was taken addresses stand that are to be made absolute.
  package let absolute: [String]
  /// What it runs for each of; nil to run once.
  let each: Reference?
  let input: ValueTemplate?
  /// The boolean parameter without which it only hands on what it would have run for.
  let condition: String?
  /// Steps that end before it starts, in the order in which their outputs are tried as input.
  let after: [Int]
  let output: ValueTemplate?
  /// In which order many outputs stand.
  package let order: GatherOrder
  /// When many calls are enough.
  package let policy: GatherPolicy

  /// Whether it makes many calls whose outputs are gathered.
  package var isFannedOut: Bool { each != nil }

  /// Every step that must have ended well before this one starts, each once: `after` first.
  package var dependencies: [Int] {
    let references = [each].compactMap(\.self) + (input?.references ?? []) + (output?.references ?? [])
    var found: [Int] = []
    for step in after + references.compactMap(\.step) where !found.contains(step) { found.append(step) }
    return found
  }
}

/// In which order the outputs of many calls stand.
package enum GatherOrder: String, CaseIterable, Hashable, Sendable {
  /// That of the values they were made for.
  case source
  /// That in which they ended.
  case completion
}

/// When the outputs of many calls are complete.
package enum GatherPolicy: String, CaseIterable, Hashable, Sendable {
  /// Every call must end well; the first failure fails the step.
  case all
  /// Every call must end; failures are left out, and told beside the output.
  case settled
  /// The first that ends well is the output; the step fails when none does.
  case first
}

/// How one answer leads to the next.
package struct Paging: Hashable, Sendable {
  /// Where the answer has the link to the next page.
  package enum Way: Hashable, Sendable {
    /// An address in the document; none, null or an empty one ends.
    case pointer(JSONSelector)
    /// A link of this relation among the response's Link headers (RFC 8288).
    case link(String)
    /// The number of pages in the document, which the variable `page` counts from 1.
    case pages(JSONSelector)
  }

  package var way: Way
  /// The limit of pages to fetch.
  package var most: Int

  static let most = 10_000
  static let defaultMost = 100
}
