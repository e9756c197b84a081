import JSONQuery

/// The call for one value of `each`, or the only one, and its pages.
struct CallChain: Sendable {
  private let context: ValueContext
  private var walk: PageWalk?
  /// Pages that were called and are not answered.
  private(set) var open: Set<Int> = [1]
  private var pages: [Int: JSONValue] = [:]
  private var leadsBack: Int?
  /// Of the pages, and of an input that was put together for it.
  private(set) var heldBytes: Int
  let url: String

  init(_ context: ValueContext, _ walk: PageWalk?, url: String, inputBytes: Int) {
    (self.context, self.walk, self.url) = (context, walk, url)
    heldBytes = inputBytes
  }

  /// No page is missing any more.
  var isComplete: Bool { open.isEmpty }

  struct Page: Sendable {
    var number: Int
    var url: String
  }

  /// Takes one page.
  ///
  /// - Returns: The pages to call now, in their order.
  mutating func answered(
    _ answer: CallAnswer, page number: Int, of step: RecipeStep
  ) throws(RecipeFailure) -> [Page] {
    open.remove(number)
    let value = try answer.value.copied()
    pages[number] = value
    heldBytes += value.length
    switch walk?.answered(answer.next) {
    case nil, .end, .capped: return []
    case .circle:
      leadsBack = number
      return []
    case .call(let page, let address):
      open.insert(page)
      return [Page(number: page, url: address)]
    case .calls(let next):
      var pages: [Page] = []
      for page in next { pages.append(Page(number: page, url: try step.address(in: context, page: page))) }
      open.formUnion(next)
      return pages
    }
  }

  /// Does not call these after all.
  mutating func forgo(_ pages: [Page]) {
    for page in pages { open.remove(page.number) }
  }

  /// What was left out of it, when it is complete.
  var note: String? {
    if let leadsBack {
      return "page \(leadsBack) of \(url) leads back to one that was read: what stands behind it was left out"
    }
    guard walk?.isCapped == true else { return nil }
    return
      "\(url) has more than \(pages.count) \(pages.count == 1 ? "page" : "pages"): what stands behind them was left out"
  }

  func output(of step: RecipeStep) throws(RecipeFailure) -> JSONValue {
    let values = pages.sorted { $0.key < $1.key }.lazy.map(\.value)
    let value: JSONValue
    if walk != nil {
      value = try .array(of: values.flatMap(\.elements))
    } else if let only = values.first {
      value = only
    } else {
      throw .noData("there is no answer")
    }
    guard let template = step.output else { return value }
    var context = context
    context.value = value
    let output = try template.assembled(in: context)
    return template.isPart ? try output.copied() : output
  }
}

extension ValueTemplate {
  /// Whether it is found in a value that may be much larger.
  fileprivate var isPart: Bool {
    if case .reference(let reference) = self { reference.selector != nil } else { false }
  }
}
