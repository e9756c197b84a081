/// A regular expression of the interoperable kind (RFC 9485), matched in time proportional to the text.
///
/// As most readers of JSONPath have it, and unlike the RFC's grammar, an unescaped `^` or `$` outside brackets is the
/// start or the end of the text.
package struct Pattern: Sendable {
  let program: [PatternInstruction]

  /// Parses and compiles a pattern.
  package init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let tree = try parser.readWholePattern()
    var compiler = PatternCompiler()
    try compiler.append(tree)
    program = compiler.program + [.accept]
  }

  /// What reading a byte of a pattern costs, in a query's steps.
  static let stepsToRead = 32
}

package enum PatternError: Error, Hashable, Sendable {
  case malformed
  case tooLarge
}

/// What the parser makes of a pattern.
indirect enum PatternTree: Sendable {
  case empty
  case one(CharacterClass)
  case start
  case end
  case sequence([PatternTree])
  case choice([PatternTree])
  /// Without an upper bound when `atMost` is nil.
  case repeated(PatternTree, atLeast: Int, atMost: Int?)
}

enum PatternInstruction: Sendable {
  case one(CharacterClass)
  case start
  case end
  case jump(Int)
  case fork(Int, Int)
  case accept
}
