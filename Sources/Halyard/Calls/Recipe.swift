internal import JSONQuery
internal import Posix
internal import Recipes

/// A recipe to run: one that comes with the library, or one of your own.
public struct Recipe: Hashable, Sendable {
  /// What messages call it.
  public var name: String
  /// The recipe as its file holds it.
  public var json: String

  /// A recipe of your own; what is wrong with it, its calls fail with.
  public init(json: String, name: String = "recipe") {
    self.name = name
    self.json = json
  }

  /// The users of an API that answers in pages; its parameters are `base` and `details`.
  public static let users = Recipe(.users)
  /// Eight categories of media, each with its first few items; its parameter is `base`.
  public static let feeds = Recipe(.feeds)

  private init(_ recipe: ShippedRecipe) {
    self.init(json: String(decoding: recipe.file, as: UTF8.self), name: recipe.rawValue)
  }
}

/// The value of a recipe's parameter: a text, a whole number or a boolean. Each can be written as a literal.
public enum RecipeParameter: Hashable, Sendable {
  /// A text, or an address.
  case text(String)
  case number(Int64)
  case flag(Bool)

  /// As a command line has it.
  var word: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .flag(let isSet): isSet ? "yes" : "no"
    }
  }
}

extension RecipeParameter: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }

  /// A whole number.
  public init(integerLiteral number: Int64) { self = .number(number) }

  /// Yes or no.
  public init(booleanLiteral isSet: Bool) { self = .flag(isSet) }
}

/// What a recipe gathered, and what it had to leave out.
public struct RecipeResult<Value: Decodable & Sendable>: Sendable {
  /// A call that failed where the recipe lets the others count.
  public struct LeftOut: Hashable, Sendable {
    /// The step's name.
    public var step: String
    /// The call's place in `each`, from 0.
    public var index: Int
    /// What kind of failure it was.
    public var kind: HalyardError.Kind
    /// What went wrong, in one line.
    public var message: String

    /// For fakes, such as those of tests.
    public init(step: String, index: Int, kind: HalyardError.Kind, message: String) {
      self.step = step
      self.index = index
      self.kind = kind
      self.message = message
    }
  }

  /// What the recipe gathered.
  public var value: Value
  /// Calls that failed under `settled` or `first`, step by step in the order of their places.
  public var leftOut: [LeftOut]
  /// What else is not in the value, such as pages behind the last that was to be read; a line each.
  public var notes: [String]

  /// For fakes, such as those of tests; the client makes its own.
  public init(value: Value, leftOut: [LeftOut] = [], notes: [String] = []) {
    self.value = value
    self.leftOut = leftOut
    self.notes = notes
  }
}

extension RecipeResult {
  init(_ row: AnswerRow, _ value: Value) {
    self.init(value: value)
    for (name, step) in row["steps"]?.members.map({ ($0.key, $0.value) }) ?? [] {
      notes += step["notes"]?.elements.compactMap(\.string).map { "\(name): \($0)" } ?? []
      leftOut +=
        step["left_out"]?.elements.map { call in
          LeftOut(
            step: name, index: Int(clamping: call["ordinal"]?.int64 ?? 0),
            kind: call["error"]?["kind"]?.string.flatMap(HalyardError.Kind.init) ?? .underlying,
            message: call["error"]?["message"]?.string ?? "")
        } ?? []
    }
  }
}

extension RecipeResult: Equatable where Value: Equatable {}
extension RecipeResult: Hashable where Value: Hashable {}
