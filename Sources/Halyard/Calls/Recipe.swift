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
