package import JSONQuery
import Links

/// A chain of calls: its parameters, its steps in their order, and its output.
///
/// Every recipe that exists is sound: its names are known, and its steps wait for each other without a circle.
package struct Recipe: Sendable {
  /// What it is for, in the words of its author.
  package let about: String?
  /// Its parameters, in the order of the file.
  package let parameters: [Parameter]
  /// What a step may run for each of, in the order of the file.
  package let sections: [Section]
  /// In the order of the file, which need not be the order in which they run.
  package let steps: [RecipeStep]
  let output: ValueTemplate

  /// An input of the recipe, which gets its value when the recipe is run.
  package struct Parameter: Hashable, Sendable {
    /// How templates and the command line call it.
    package var name: String
    /// What its value must be.
    package var type: ParameterType
    /// Its value when none is given; nil when one must be given.
    package var fallback: ParameterValue?
    /// What it is for.
    package var about: String?
  }
}

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

/// What a parameter can be.
package enum ParameterType: String, CaseIterable, Hashable, Sendable {
  case string
  case integer
  case boolean
  /// An absolute http or https address; without a slash at its end, so that templates can go on with one.
  case url

  /// The value that a word of a command line stands for; nil when it is no such value.
  func value(of word: String) -> ParameterValue? {
    switch self {
    case .string: return .string(word)
    case .integer: return Int64(word).map { .integer($0) }
    case .boolean: return Self.booleans[word.lowercased()].map { .boolean($0) }
    case .url:
      guard let link = try? WebURL.userInput(word) else { return nil }
      let isPrefix = link.query == nil && link.fragment == nil && link.href.hasSuffix("/")
      // With its password, if there is one: `href` is for showing.
      return link.username.isEmpty && link.password.isEmpty
        ? .string(isPrefix ? String(link.href.dropLast()) : link.href) : nil
    }
  }

  /// What values look like, behind "expected".
  var expectation: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .boolean: "yes or no"
    case .url: "an http or https address without a name and password"
    }
  }

  private static let booleans = [
    "yes": true, "true": true, "on": true, "1": true, "no": false, "false": false, "off": false, "0": false,
  ]
}

/// The value of a parameter.
package enum ParameterValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)

  /// As it stands in an address.
  package var text: String {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    }
  }
}

/// A name and what is taken of the value behind it, written `$name`, `$name/pointer` or `$name$.path`.
struct Reference: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case parameter(String)
    case step(Int)
    case sections
    /// The value of `each` that a call is made for.
    case item
    /// What a call is made with.
    case input
    /// What was taken of a call's answer.
    case value
  }

  var source: Source
  var selector: JSONSelector?
  /// As it is written.
  var text: String

  var step: Int? { if case .step(let index) = source { index } else { nil } }
}

/// One of the things that a step may run for each of.
package struct Section: Sendable {
  /// What tells it from the others.
  package let id: String
  /// The whole object, with what else stands in it.
  let value: JSONValue
}

/// JSON in which strings that start with `$` stand for values; `$$` stands for a dollar sign.
indirect enum ValueTemplate: Hashable, Sendable {
  /// One value as JSON.
  case literal([UInt8])
  case reference(Reference)
  case object([Member])
  case array([ValueTemplate])

  struct Member: Hashable, Sendable {
    var name: String
    var value: ValueTemplate
  }

  var references: [Reference] {
    switch self {
    case .literal: []
    case .reference(let reference): [reference]
    case .object(let members): members.flatMap(\.value.references)
    case .array(let elements): elements.flatMap(\.references)
    }
  }
}
