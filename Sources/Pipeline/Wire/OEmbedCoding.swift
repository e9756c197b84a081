/// The flags of a message that say that it has one, and that it asks an oEmbed endpoint.
typealias ContinuationFlags = (own: UInt16, oembed: UInt16)

/// How far a walk has come, then what was read of the page, if its oEmbed endpoint is asked. A reader without oEmbed requests would take the endpoint for
/// the page, so the extension that goes with one must be understood.
extension FrameWriter {
  mutating func continuation(_ continuation: Continuation?, _ flags: ContinuationFlags) {
    guard let continuation else { return }
    header.flags |= flags.own
    if !continuation.fits {
      refuse(FrameTooLarge(bytes: continuation.allBytes, limit: Continuation.mostBytes))
    }
    payload.continuation(continuation)
    guard let oembed = continuation.oembed else { return }
    header.flags |= flags.oembed
    add(.oembed, mustUnderstand: true) { _ in }
    payload.block(oembed.members)
    payload.block(oembed.card)
    payload.optionalFailure(oembed.failure)
    payload.optionalNote(oembed.caching)
  }
}

extension FrameReader {
  mutating func continuation(_ flags: ContinuationFlags) throws(FrameError) -> Continuation? {
    guard header.flags & flags.own != 0 else { return nil }
    var continuation = try payload.continuation()
    guard header.flags & flags.oembed != 0 else { return continuation }
    continuation.oembed = OEmbedContinuation(
      members: Array(try payload.block("members")), card: Array(try payload.block("card")),
      failure: try payload.optionalFailure(), caching: try payload.optionalNote())
    guard continuation.fits else { throw .malformed("size of continuation") }
    return continuation
  }
}
