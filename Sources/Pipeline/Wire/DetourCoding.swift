/// How far a walk has come, then its detour, if it is one. A reader without detours would take the endpoint for
/// the page, so the extension that goes with one must be understood.
extension FrameWriter {
  mutating func onward(_ onward: Onward, detourFlag: UInt16) {
    if !onward.fits { refuse(FrameTooLarge(bytes: onward.allBytes, limit: Onward.mostBytes)) }
    payload.onward(onward)
    guard let detour = onward.detour else { return }
    header.flags |= detourFlag
    add(.detour, mustUnderstand: true) { _ in }
    payload.block(detour.findings)
    payload.block(detour.card)
    payload.optionalFailure(detour.failure)
    payload.optionalNote(detour.keeping)
  }
}

extension FrameReader {
  mutating func onward(detourFlag: UInt16) throws(FrameError) -> Onward {
    var onward = try payload.onward()
    guard header.flags & detourFlag != 0 else { return onward }
    onward.detour = Detour(
      findings: Array(try payload.block("findings")), card: Array(try payload.block("card")),
      failure: try payload.optionalFailure(), keeping: try payload.optionalNote())
    guard onward.fits else { throw .malformed("size of onward") }
    return onward
  }
}
