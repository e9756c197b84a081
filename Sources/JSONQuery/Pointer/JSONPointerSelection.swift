/// The first part of a pointer that a document does not have.
public struct JSONPointerMiss: Error, Hashable, Sendable {
  /// Why the token leads nowhere.
  public enum Reason: Hashable, Sendable {
    case noMember
    case noElement(count: Int)
    case notAnIndex
    case notAContainer(JSONKind)
  }

  /// What the pointer could still reach.
  public var reached: JSONPointer
  /// The token that led nowhere from there.
  public var token: String
  /// Why it led nowhere.
  public var reason: Reason

  /// One line for people, such as `/data has no element 7, only 3`.
  public var message: String {
    let place = reached.tokens.isEmpty ? "the document" : reached.text
    return switch reason {
    case .noMember: "\(place) has no member '\(token)'"
    case .noElement(let count): "\(place) has no element \(token), only \(count)"
    case .notAnIndex: "\(place) is an array and '\(token)' is not an index"
    case .notAContainer(let kind): "\(place) is of kind \(kind), so it has no '\(token)'"
    }
  }
}

extension JSONPointer {
  /// The value the pointer leads to, or nil.
  public func select(in value: JSONValue) -> JSONValue? {
    try? resolve(in: value)
  }

  /// The value the pointer leads to; the error tells which part is missing.
  public func resolve(in value: JSONValue) throws(JSONPointerMiss) -> JSONValue {
    var current = value
    for (depth, token) in tokens.enumerated() {
      let reason: JSONPointerMiss.Reason
      switch current.kind {
      case .object:
        if let member = current[token] {
          current = member
          continue
        }
        reason = .noMember
      case .array:
        let index = arrayIndex(token)
        if let index, let element = current.element(at: index) {
          current = element
          continue
        }
        reason = index == nil ? .notAnIndex : .noElement(count: current.count)
      case .string, .number, .bool, .null:
        reason = .notAContainer(current.kind)
      }
      throw JSONPointerMiss(
        reached: JSONPointer(tokens: tokens.prefix(depth)), token: token, reason: reason)
    }
    return current
  }
}

/// An array index: digits without a leading zero; `-`, the place behind the last element, never names a value.
private func arrayIndex(_ token: String) -> Int? {
  let digits = token.utf8
  guard digits.allSatisfy(isDigit), digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
  // An index too large for Int is still an index, one that no array has.
  return Int(token) ?? (digits.isEmpty ? nil : Int.max)
}

extension JSONValue {
  /// The pointer that leads from the document's root to this value.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    var parent = 0
    while parent != index {
      let isObject = tape.nodes[parent].kind == .object
      var child = parent + 1
      var position = 0
      // An object's children stand in pairs: the name, then the value whose subtree may hold this one.
      var value = isObject ? child + 1 : child
      while tape.nodes[value].next <= index {
        child = Int(tape.nodes[value].next)
        position += 1
        value = isObject ? child + 1 : child
      }
      tokens.append(isObject ? tape.decodedString(tape.nodes[child]) : String(position))
      parent = value
    }
    return JSONPointer(tokens: tokens)
  }
}
