/// What jobs say about oEmbed endpoints, and detours to them.
extension Submit {
  /// The jobs that ask for it, by their places in the message: a bit each. Older aggregators pass over it.
  func addEmbeds(to frame: inout FrameWriter) {
    guard jobs.contains(where: \.wantsEmbed) else { return }
    frame.add(.embeds) { value in
      for start in stride(from: 0, to: jobs.count, by: 8) {
        let bits = jobs[start..<min(start + 8, jobs.count)].enumerated()
        value.integer(bits.reduce(UInt8(0)) { $1.element.wantsEmbed ? $0 | 1 << UInt8($1.offset) : $0 })
      }
    }
  }

  static func readEmbeds(of jobs: inout [Job], from frame: FrameReader) throws(FrameError) {
    guard var found = frame.findAll(.embeds).first else { return }
    let bits = Array(found.rest())
    guard bits.count == (jobs.count + 7) / 8 else { throw .malformed("embeds") }
    for index in jobs.indices { jobs[index].wantsEmbed = bits[index / 8] >> UInt8(index % 8) & 1 == 1 }
  }
}

/// How far a walk has come, and behind it its detour, if it is one. Whoever knows no detours would take the endpoint for
/// the page, so the extension that goes with one must be understood.
extension FrameWriter {
  mutating func onward(_ onward: Onward, detourFlag: UInt16) {
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
