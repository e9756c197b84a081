internal import JSONQuery

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
