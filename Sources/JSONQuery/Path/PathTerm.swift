/// A part of a filter whose place decides what it has to be: something with a value, a test, or a query.
struct PathTerm {
  enum Kind {
    case literal(JSONScalar)
    case query(PathQuery)
    /// A function with a value.
    case computed(PathOperand)
    /// A function that is true or false.
    case match(PathMatch)
  }

  var kind: Kind
  var start: Int

  /// The term where something is compared or measured.
  func operand() throws(JSONPathError) -> PathOperand {
    switch kind {
    case .literal(let literal): return .literal(literal)
    case .computed(let operand): return operand
    case .match: throw JSONPathError(.notComparable, at: start)
    case .query(let query):
      guard query.isSingular else { throw JSONPathError(.notSingular, at: start) }
      return .query(query)
    }
  }

  /// The term where something is true or false; a query is true when it finds anything.
  func test() throws(JSONPathError) -> PathTest {
    switch kind {
    case .literal: throw JSONPathError(.literalAlone, at: start)
    case .computed: throw JSONPathError(.valueAlone, at: start)
    case .match(let match): return .match(match)
    case .query(let query): return .exists(query)
    }
  }

  /// The term where any number of values may be found.
  func nodes() throws(JSONPathError) -> PathQuery {
    guard case .query(let query) = kind else { throw JSONPathError(.notNodes, at: start) }
    return query
  }
}
