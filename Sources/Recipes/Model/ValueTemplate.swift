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
