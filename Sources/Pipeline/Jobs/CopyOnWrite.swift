/// A large value that its copies share, until one of them changes: a copy takes one reference and no bytes.
@usableFromInline struct CopyOnWrite<Value: Sendable>: Sendable {
  /// Unchecked, because it changes only while nothing else refers to it.
  @usableFromInline final class Box: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable init(_ value: Value) { box = Box(value) }

  @inlinable var value: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {
  @usableFromInline static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
