extension Array {
  /// Takes out the elements that meet the condition, in their order.
  ///
  /// Each is asked once: whether a call is cancelled may change from one moment to the next, and an element that was
  /// removed by a second answer would belong to nobody.
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
