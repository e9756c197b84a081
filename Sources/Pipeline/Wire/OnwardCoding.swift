/// How far a walk has come, at the end of a payload; a flag of the header says that it is there.
extension ByteWriter {
  mutating func onward(_ onward: Onward) {
    text(onward.url)
    block(onward.hops)
    integer(UInt32(clamping: onward.visits.count))
    for visit in onward.visits { integer(visit) }
    integer(UInt32(clamping: onward.cookies.count))
    for cookie in onward.cookies { text(cookie) }
    integer(UInt8(onward.hasLeft ? 1 : 0))
    integer(onward.elapsedMilliseconds)
  }
}

extension ByteReader {
  mutating func onward() throws(FrameError) -> Onward {
    let url = try text("onward url")
    let hops = Array(try block("onward hops"))
    var visits: [UInt64] = []
    for _ in 0..<(try integer("visits", as: UInt32.self)) { visits.append(try integer("visit")) }
    var cookies: [String] = []
    for _ in 0..<(try integer("cookies", as: UInt32.self)) { cookies.append(try text("cookie")) }
    let onward = Onward(
      url: url, hops: hops, visits: visits, cookies: cookies, hasLeft: try flag("has left"),
      elapsedMilliseconds: try integer("elapsed"))
    guard onward.fits else { throw .malformed("size of onward") }
    return onward
  }
}
