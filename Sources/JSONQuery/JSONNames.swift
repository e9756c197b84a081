extension JSONValue {
  /// The names of an object's members as strings with their places, in order, repeated ones included.
  public var memberNames: some Sequence<JSONValue> {
    members.lazy.map { [tape] member in JSONValue(tape: tape, index: member.value.index - 1) }
  }
}
