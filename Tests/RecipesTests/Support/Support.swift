import JSONQuery
import Testing

@testable import Recipes

/// What is wrong with a text, a problem a line: `line:column message`.
func problems(in text: String) -> [String] { problems(in: Array(text.utf8)) }

func problems(in bytes: [UInt8]) -> [String] {
  do throws(RecipeProblems) {
    _ = try Recipe(parsing: bytes)
    return []
  } catch {
    return error.problems.map { "\($0.line):\($0.column) \($0.message)" }
  }
}

func recipe(_ text: String) throws -> Recipe { try Recipe(parsing: Array(text.utf8)) }

func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

/// A small seeded generator, so that every run tries the same.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
