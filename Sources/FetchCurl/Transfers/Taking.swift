extension Array {
  /// Takes out the elements that meet the condition, in their order.
  ///
  /// Asks each element once: the answer may change between two calls, and an element that only the second one matched
  /// would be removed without being returned.
  mutating func take(where condition: (Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    removeAll { element in
      guard condition(element) else { return false }
      taken.append(element)
      return true
    }
    return taken
  }
}
