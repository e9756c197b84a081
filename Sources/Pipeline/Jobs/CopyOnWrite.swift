/// A large value that its copies share, until one of them changes: a copy takes one reference and no bytes.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// Unchecked, because it changes only while nothing else refers to it.
  private final class Box: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
