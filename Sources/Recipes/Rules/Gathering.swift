import JSONQuery

/// Collects how the calls of one step end, and tells once when their outputs are complete.
struct Gathering<Output: Sendable>: Sendable {
  enum Verdict: Sendable {
    /// Others must end first.
    case open
    /// What is not over yet is no longer needed.
    case complete([Output], failures: [Failed])
    case failed(RecipeFailure)
  }

  struct Failed: Hashable, Sendable {
    /// Which of the values of `each` it was made for, counted from 0.
    var ordinal: Int
    var failure: RecipeFailure
  }

  let total: Int
  private let order: GatherOrder
  private let policy: GatherPolicy
  private(set) var outputs: [(ordinal: Int, output: Output)] = []
  private var failures: [Failed] = []
  private var ended: Set<Int> = []
  private var isSettled = false

  var endedCount: Int { ended.count }

  init(_ total: Int, order: GatherOrder, policy: GatherPolicy) {
    self.total = total
    self.order = order
    self.policy = policy
  }

  /// What there is to say before any call has ended.
  mutating func started() -> Verdict { verdict() }

  /// What ends twice, or after the verdict, changes nothing.
  mutating func callEnded(_ ordinal: Int, _ result: Result<Output, RecipeFailure>) -> Verdict {
    guard !isSettled, (0..<total).contains(ordinal), ended.insert(ordinal).inserted else { return .open }
    switch result {
    case .success(let output): outputs.append((ordinal, output))
    case .failure(let failure): failures.append(Failed(ordinal: ordinal, failure: failure))
    }
    return verdict()
  }

  private mutating func verdict() -> Verdict {
    let verdict = reached()
    if case .open = verdict { return verdict }
    isSettled = true
    outputs = []
    return verdict
  }

  private func reached() -> Verdict {
    switch policy {
    case .all:
      if let first = failures.first { return .failed(first.failure) }
      return ended.count == total ? .complete(ordered, failures: []) : .open
    case .settled:
      return ended.count == total ? .complete(ordered, failures: ordered(failures)) : .open
    case .first:
      if let first = outputs.first { return .complete([first.output], failures: ordered(failures)) }
      guard ended.count == total else { return .open }
      return .failed(ordered(failures).first?.failure ?? .noData("there is nothing to run for"))
    }
  }

  private var ordered: [Output] {
    switch order {
    case .source: outputs.sorted { $0.ordinal < $1.ordinal }.map(\.output)
    case .completion: outputs.map(\.output)
    }
  }

  private func ordered(_ failures: [Failed]) -> [Failed] {
    switch order {
    case .source: failures.sorted { $0.ordinal < $1.ordinal }
    case .completion: failures
    }
  }
}

extension ValueTemplate {
  /// The template as JSON, with what its references stand for.
  func assembled(in context: ValueContext) throws(RecipeFailure) -> JSONValue {
    if let part = try found(in: context) { return part }
    return try written(in: context)
  }

  /// What is one value already, which needs no copy.
  func found(in context: ValueContext) throws(RecipeFailure) -> JSONValue? {
    guard case .reference(let reference) = self, case .one(let value) = try context.find(reference) else {
      return nil
    }
    return value
  }

  /// The template as a document of its own.
  func written(in context: ValueContext) throws(RecipeFailure) -> JSONValue {
    var writer = JSONWriter()
    try write(in: context, into: &writer)
    return try .assembled(from: writer.bytes)
  }

  private func write(in context: ValueContext, into writer: inout JSONWriter) throws(RecipeFailure) {
    switch self {
    case .literal(let json): writer.raw(json)
    case .reference(let reference): try writer.write(context.find(reference))
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        try member.value.write(in: context, into: &writer)
      }
      writer.endObject()
    case .array(let elements):
      writer.beginArray()
      for element in elements { try element.write(in: context, into: &writer) }
      writer.endArray()
    }
    try writer.checkSize()
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ found: ValueContext.Found) throws(RecipeFailure) {
    switch found {
    case .parameter(.string(let text)): string(text)
    case .parameter(.integer(let number)): int(number)
    case .parameter(.boolean(let isTrue)): bool(isTrue)
    case .one(let value): self.value(value)
    case .many(let values): try array(of: values)
    }
  }

  /// Stops as soon as it is too much: values inside each other may be a thousand times their document.
  mutating func array(of values: some Sequence<JSONValue>) throws(RecipeFailure) {
    beginArray()
    for value in values {
      self.value(value)
      try checkSize()
    }
    endArray()
  }

  func checkSize() throws(RecipeFailure) {
    guard bytes.count <= RecipeLimits.longestValue else {
      throw .tooLarge("a value takes more than \(RecipeLimits.longestValue >> 20) MiB")
    }
  }
}

extension JSONValue {
  /// The value in a document of its own: what it was found in may go.
  func copied() throws(RecipeFailure) -> JSONValue {
    var writer = JSONWriter(reservingCapacity: length)
    writer.value(self)
    return try .assembled(from: writer.bytes)
  }

  static func assembled(from bytes: [UInt8]) throws(RecipeFailure) -> JSONValue {
    do {
      return try JSONDocument(parsing: bytes, limits: RecipeLimits.assembled).root
    } catch {
      throw .tooLarge("a value cannot be put together: \(error.reason.rawValue)")
    }
  }

  static func array(of values: some Sequence<JSONValue>) throws(RecipeFailure) -> JSONValue {
    var writer = JSONWriter()
    try writer.array(of: values)
    return try assembled(from: writer.bytes)
  }
}

/// What the names of a recipe stand for at one moment.
struct ValueContext {
  var parameters: [String: ParameterValue] = [:]
  var sections: JSONValue
  /// Of each step; nil before it ended well.
  var outputs: [JSONValue?] = []
  var item: JSONValue?
  var input: JSONValue?
  var value: JSONValue?

  /// What a reference leads to.
  enum Found {
    case parameter(ParameterValue)
    case one(JSONValue)
    /// What a query finds that may find many.
    case many([JSONValue])
  }

  func find(_ reference: Reference) throws(RecipeFailure) -> Found {
    let value: JSONValue?
    switch reference.source {
    case .parameter(let name):
      guard let found = parameters[name] else { throw .missingInput("the parameter '\(name)' has no value") }
      guard reference.selector == nil else {
        throw .mismatch("'\(reference.text)': a parameter has no parts")
      }
      return .parameter(found)
    case .step(let step): value = outputs[step]
    case .sections: value = sections
    case .item: value = item
    case .input: value = input
    case .value: value = self.value
    }
    guard let value else { throw .missingInput("'\(reference.text)' has no value") }
    guard let selector = reference.selector else { return .one(value) }
    switch try selector.find(in: value, "'\(reference.text)'") {
    case .one(let found): return .one(found)
    case .many(let found): return .many(found)
    }
  }
}

extension JSONSelector {
  /// One value of what can find one only, which must be there; else all of them.
  func find(in root: JSONValue, _ place: String) throws(RecipeFailure) -> Found {
    do {
      return try find(in: root)
    } catch {
      switch error {
      case .mismatch(let why): throw .mismatch("\(place): \(why)")
      case .tooMuch(let why): throw .tooLarge("\(place): \(why)")
      }
    }
  }
}
