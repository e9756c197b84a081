/// Where path and query stand in a request target, which is a path, a whole link, or `*`.
struct RequestTarget: Sendable {
  let path: Range<Int>
  let query: Range<Int>?

  init(_ target: ArraySlice<UInt8>, isOptions: Bool, host: ArraySlice<UInt8>?) throws(Refusal) {
    guard !Self.hidesZero(target) else { throw .malformedTarget }
    let isWholeServer = isOptions && target.elementsEqual("*".utf8)
    let isPath = target.first == UInt8(ascii: "/")
    let rest = isPath || isWholeServer ? target : try Self.behindAuthority(of: target, host: host)
    guard let mark = rest.firstIndex(of: UInt8(ascii: "?")) else {
      (path, query) = (rest.startIndex..<rest.endIndex, nil)
      return
    }
    (path, query) = (rest.startIndex..<mark, mark + 1..<rest.endIndex)
  }

  /// A whole link must name the host that `Host` names, or two programs could route it to two places.
  private static func behindAuthority(
    of target: ArraySlice<UInt8>, host: ArraySlice<UInt8>?
  ) throws(Refusal) -> ArraySlice<UInt8> {
    let scheme = ["http://", "https://"].first { target.prefix($0.utf8.count).spells($0) }
    guard let scheme else { throw .malformedTarget }
    let rest = target.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.isEmpty else { throw .malformedTarget }
    if let host {
      guard authority.count == host.count, zip(authority, host).allSatisfy({ $0.lowercased == $1.lowercased })
      else { throw .otherHost }
    }
    return rest[authority.endIndex...]
  }

  /// `%00` ends a text early wherever C reads it.
  private static func hidesZero(_ target: ArraySlice<UInt8>) -> Bool {
    var index = target.startIndex
    while let found = target[index...].firstIndex(of: UInt8(ascii: "%")) {
      if target[found...].prefix(3).elementsEqual("%00".utf8) { return true }
      index = found + 1
    }
    return false
  }
}
