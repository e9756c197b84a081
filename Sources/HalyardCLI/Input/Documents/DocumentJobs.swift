internal import Links
import Pipeline
import Roles

/// The links of a Markdown, HTML or text document; each carries its place and its text.
///
/// Links to the document itself and to what HTTP cannot fetch, such as `mailto:`, are passed over.
struct DocumentJobs: JobReader {
  private static let longest = 64 << 20

  private let name: String
  private let file: String?
  private let context: InputContext
  private let open: ([UInt8], String) throws(InputError) -> any LinkFinder
  private var whole: WholeInput
  private var finder: (any LinkFinder)?
  /// What relative links start from.
  private var base: WebURL?
  private var counter = PlaceCounter()

  init(
    _ context: InputContext, from origin: InputPlan.Source, base: WebURL?, limit: Int = Self.longest,
    open: @escaping ([UInt8], String) throws(InputError) -> any LinkFinder
  ) {
    (name, file) = (origin.name, origin.path)
    (self.context, self.base, self.open) = (context, base, open)
    whole = WholeInput(name: origin.name, limit: limit)
  }

  mutating func take(_ chunk: [UInt8]?) throws(InputError) {
    guard try whole.isWhole(with: chunk) else { return }
    let opened = try open(whole.bytes, name)
    if let own = opened.base { base = (try? WebURL(bytes: own, relativeTo: base)) ?? base }
    finder = opened
  }

  mutating func next() -> InputJob? {
    while let link = finder?.next() {
      if let job = job(link) { return job }
    }
    return nil
  }

  private mutating func job(_ link: FoundLink) -> InputJob? {
    // As browsers do.
    let reference = LinkText.trimBlanks(link.reference.filter { $0 != 0x09 && !isLineEnd($0) }[...])
    let kind = ReferenceKind(reference)
    if case .other = kind { return nil }
    counter.count(to: link.offset, in: whole.bytes)
    let line = counter.line
    var job = context.job(linkedTo: reference, isTooLong: reference.count > LineReader.limit, line: line)
    job.draft.origin = LinkOrigin(
      file: file, line: line, column: counter.column,
      text: link.text?.shortened(toBytes: LinkOrigin.longestText))
    guard case .relative = kind, job.draft.refusal == nil else { return job }
    guard let base else {
      job.isRelative = true
      return job
    }
    if let url = try? WebURL(bytes: Array(reference), relativeTo: base) {
      job.draft.input = url.href
    } else {
      job.refuse("\(context.place(line: line)) has a link that leads nowhere")
    }
    return job
  }
}
