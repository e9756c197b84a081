internal import Posix
internal import Recipes

/// A recipe to run: one that comes with the library, or one of your own.
public struct RecipeText: Hashable, Sendable {
  /// What messages call it.
  public var name: String
  /// The recipe as its file holds it.
  public var json: String

  public init(json: String, name: String = "recipe") {
    self.name = name
    self.json = json
  }

  /// The users of an API that answers in pages; its parameters are `base` and `details`.
  public static let users = RecipeText(.users)
  /// Eight categories of media, each with its first few items; its parameter is `base`.
  public static let feeds = RecipeText(.feeds)

  private init(_ recipe: ShippedRecipe) {
    self.init(json: String(decoding: recipe.file, as: UTF8.self), name: recipe.rawValue)
  }
}
