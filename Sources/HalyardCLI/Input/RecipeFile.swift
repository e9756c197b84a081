import Recipes

/// A recipe as a user names it: one that is built in, or a file.
struct RecipeFile {
  let name: String

  /// All of it, or a little more than a recipe may have.
  func read() throws(InputError) -> [UInt8] {
    if let shipped = ShippedRecipe(rawValue: name) { return shipped.file }
    let source: DescriptorSource
    do {
      source = name == "-" ? DescriptorSource() : try DescriptorSource(path: name)
    } catch {
      throw InputError(name, error.problem + hint)
    }
    var bytes: [UInt8] = []
    while bytes.count <= RecipeLimits.longestFile, let chunk = try source.nextChunk() { bytes += chunk }
    return bytes
  }

  private var hint: String {
    let known = ShippedRecipe.allCases.map(\.rawValue)
    guard !name.contains("/"), !name.contains(".") else { return "" }
    if let meant = Suggestion.closest(to: name, among: known) { return " — did you mean '\(meant)'?" }
    return "; built in are \(known.joined(separator: ", "))"
  }
}
