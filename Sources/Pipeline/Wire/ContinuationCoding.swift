/// How far a walk has come, at the end of a payload; a flag of the header says that it is there.
extension ByteWriter {
  mutating func continuation(_ continuation: Continuation) {
    text(continuation.url)
    block(continuation.hops)
    integer(UInt32(clamping: continuation.visits.count))
    for visit in continuation.visits { integer(visit) }
    integer(UInt32(clamping: continuation.cookies.count))
    for cookie in continuation.cookies { text(cookie) }
    integer(UInt8(continuation.hasLeft ? 1 : 0))
    integer(continuation.elapsedMilliseconds)
  }
}

extension ByteReader {
  mutating func continuation() throws(FrameError) -> Continuation {
    let url = try text("continuation url")
    let hops = Array(try block("continuation hops"))
    var visits: [UInt64] = []
    for _ in 0..<(try integer("visits", as: UInt32.self)) { visits.append(try integer("visit")) }
    var cookies: [String] = []
    for _ in 0..<(try integer("cookies", as: UInt32.self)) { cookies.append(try text("cookie")) }
    let continuation = Continuation(
      url: url, hops: hops, visits: visits, cookies: cookies, hasLeft: try flag("has left"),
      elapsedMilliseconds: try integer("elapsed"))
    guard continuation.fits else { throw .malformed("size of continuation") }
    return continuation
  }
}
