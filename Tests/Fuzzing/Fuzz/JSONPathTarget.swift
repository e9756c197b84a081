import JSONQuery

/// The first line is a query and a regular expression, the rest a document and a text.
@Sendable func checkJSONPath(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
  let rest = Array(bytes.dropFirst(line.count + 1))
  checkPattern(String(decoding: line, as: UTF8.self), text: String(decoding: rest, as: UTF8.self))
  let text = String(decoding: line, as: UTF8.self)
  do throws(JSONPathError) {
    let path = try JSONPath(text)
    guard let root = (try? JSONDocument(parsing: rest))?.root else { return }
    check(path, in: root)
  } catch {
    require(error.offset <= text.utf8.count, "\(text) has no byte \(error.offset)")
  }
}

private let limits = JSONPathLimits(nodes: 10_000, steps: 1_000_000)

private func check(_ path: JSONPath, in root: JSONValue) {
  guard let found = try? path.select(in: root, limits: limits) else { return }
  require(!path.isSingular || found.count < 2, "\(path.text) found \(found.count) values")
  for value in found.prefix(100) {
    require(value.offset >= root.offset, "a value stands before its document")
    _ = value.minified
  }
  // As a test it holds for all children or for none, and its opposite for the others.
  guard let test = try? JSONPath("$[?\(path.text)]"), let opposite = try? JSONPath("$[?!(\(path.text))]"),
    let holding = try? test.select(in: root, limits: limits),
    let others = try? opposite.select(in: root, limits: limits)
  else { return }
  let children = root.kind == .object || root.kind == .array ? root.count : 0
  require(holding.count == (found.isEmpty ? 0 : children), "\(test.text) found \(holding.count)")
  require(others.count == children - holding.count, "\(opposite.text) found \(others.count)")
}

/// What matches as a whole is found, too.
private func checkPattern(_ pattern: String, text: String) {
  var writer = JSONWriter()
  writer.beginArray()
  writer.string(pattern)
  writer.string(text)
  writer.endArray()
  guard let root = (try? JSONDocument(parsing: writer.bytes))?.root,
    let whole = try? JSONPath("$[?match(@, $[0])]").select(in: root, limits: limits),
    let parts = try? JSONPath("$[?search(@, $[0])]").select(in: root, limits: limits)
  else { return }
  let found = Set(parts.map(\.offset))
  require(whole.allSatisfy { found.contains($0.offset) }, "\(pattern) matches what it does not find")
}
