import JSONQuery

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
