import Posix

extension Span<UInt8> {
  /// Where the end tag of a title, textarea, style and the like starts, or the end.
  func endOfRawText(from start: Int, element: String) -> Int {
    var index = firstIndex(of: .less, from: start)
    while index < count, !endsElement(element, at: index) {
      index = firstIndex(of: .less, from: index &+ 1)
    }
    return index
  }

  /// Where the end tag of a script starts, or the end.
  ///
  /// Inside `<!--` and `-->` a `<script` hides the next `</script`.
  func endOfScript(from start: Int) -> Int {
    var state = ScriptState.plain
    var index = start
    while index < count {
      switch state {
      case .plain:
        index = firstIndex(of: .less, from: index)
        if endsElement("script", at: index) { return index }
        if has("<!--", at: index) {
          state = .escaped
          index = endOfScriptEscape(from: index &+ 4)
          if index > 0, byte(at: index &- 1) == .greater { state = .plain }
        } else {
          index &+= 1
        }
      case .escaped, .doubleEscaped:
        index = nextDashOrLess(from: index)
        if has("-->", at: index) {
          state = .plain
          index &+= 3
        } else if endsElement("script", at: index) {
          if state == .escaped { return index }
          state = .escaped
          index &+= 8
        } else if state == .escaped, startsElement("script", at: index) {
          state = .doubleEscaped
          index &+= 7
        } else {
          index &+= 1
        }
      }
    }
    return count
  }

  /// The dashes of `<!--` count for the `-->` that ends the escape: `<!-->` and `<!--->` are over at once.
  private func endOfScriptEscape(from start: Int) -> Int {
    var index = start
    while byte(at: index) == .dash { index &+= 1 }
    return byte(at: index) == .greater ? index &+ 1 : index
  }

  private func nextDashOrLess(from start: Int) -> Int {
    var index = start
    while index < count, self[index] != .dash, self[index] != .less { index &+= 1 }
    return index
  }

  private func endsElement(_ name: String, at index: Int) -> Bool {
    byte(at: index) == .less && byte(at: index &+ 1) == .slash && has(name, at: index &+ 2)
      && isTagNameEnd(at: index &+ 2 &+ name.utf8.count)
  }

  private func startsElement(_ name: String, at index: Int) -> Bool {
    byte(at: index) == .less && has(name, at: index &+ 1)
      && isTagNameEnd(at: index &+ 1 &+ name.utf8.count)
  }

  private func isTagNameEnd(at index: Int) -> Bool {
    guard let byte = byte(at: index) else { return false }
    return byte.isHTMLSpace || byte == .slash || byte == .greater
  }
}

private enum ScriptState {
  case plain
  case escaped
  case doubleEscaped
}
