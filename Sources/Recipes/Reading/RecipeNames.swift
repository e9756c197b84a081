/// The names that a recipe gives, which are all different.
struct RecipeNames {
  var parameters: [String: ParameterType] = [:]
  /// In the order of the file, also of steps that are not sound.
  var steps: [String] = []
  var hasSections = false

  /// Words that mean the same in every recipe.
  static let taken = ["sections", "item", "input", "value", "page"]

  func step(_ name: String) -> Int? { steps.firstIndex(of: name) }

  /// Whether a text can be the name of a parameter or step.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isNameByte($0) }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"): true
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Which words of `RecipeNames.taken` mean something at one place.
struct NameScope {
  /// How the place is called in messages.
  var place: String
  var words: Set<String> = []
}
