import TOML

/// A document, whose places lie within it.
@Sendable func checkTOML(_ bytes: [UInt8]) {
  let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
  func check(_ position: TOMLPosition) {
    require((1...lines).contains(position.line), "there is no line \(position.line)")
    require((1...bytes.count + 1).contains(position.column), "there is no column \(position.column)")
  }
  func check(_ value: TOMLValue) {
    check(value.position)
    switch value.content {
    case .string, .integer, .float, .boolean: break
    case .array(let values): values.forEach(check)
    case .table(let table): check(table)
    }
  }
  func check(_ table: TOMLTable) {
    require(Set(table.members.map(\.key)).count == table.members.count, "a key is there twice")
    for member in table.members {
      check(member.position)
      check(member.value)
    }
  }
  do throws(TOMLError) {
    check(try TOMLTable(parsing: bytes))
  } catch {
    check(error.position)
  }
}
