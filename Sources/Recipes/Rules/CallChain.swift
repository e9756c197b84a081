import JSONQuery

/// The call for one value of `each`, or the only one, and its pages.
struct CallChain: Sendable {
  private let context: ValueContext
  private var walk: PageWalk?
  /// Pages that were called and are not answered.
  private(set) var open: Set<Int> = [1]
  private var pages: [Int: JSONValue] = [:]
  private var leadsBack: Int?
  /// Of the pages.
  private(set) var heldBytes = 0
  let url: String

  init(_ context: ValueContext, _ walk: PageWalk?, url: String) {
    (self.context, self.walk, self.url) = (context, walk, url)
  }

  /// No page is missing any more.
  var isComplete: Bool { open.isEmpty }

  /// Takes one page.
  ///
  /// - Returns: The pages to call now, in their order.
  mutating func answered(
    _ answer: CallAnswer, _ call: CallID, _ step: RecipeStep
  ) throws(RecipeFailure) -> [RecipeOrder] {
    open.remove(call.page)
    pages[call.page] = answer.value
    heldBytes += answer.value.length
    switch walk?.answered(answer.next) {
    case nil, .end, .capped: return []
    case .circle:
      leadsBack = call.page
      return []
    case .call(let page, let address):
      open.insert(page)
      return [.call(CallID(step: call.step, ordinal: call.ordinal, page: page), url: address)]
    case .calls(let next):
      var orders: [RecipeOrder] = []
      for page in next {
        let address = try step.address(in: context, page: page)
        orders.append(.call(CallID(step: call.step, ordinal: call.ordinal, page: page), url: address))
      }
      open.formUnion(next)
      return orders
    }
  }

  /// What was left out of it, when it is complete.
  var note: String? {
    if let leadsBack {
      return "page \(leadsBack) of \(url) leads back to one that was read: what stands behind it was left out"
    }
    guard walk?.isCapped == true else { return nil }
    return "\(url) has more than \(pages.count) \(pages.count == 1 ? "page" : "pages"): what stands behind them was left out"
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
    return try template.assembled(in: context)
  }
}
