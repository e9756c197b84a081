public import FoundationEssentials
internal import Pipeline
internal import Roles

extension HalyardClient {
  /// Follows a link to where it leads.
  public func unfurl(
    _ link: some LinkConvertible, options: CallOptions = CallOptions()
  ) -> HalyardCall<ResolvedLink> {
    call(JobDraft(kind: .unfurl, input: link.linkText), options) { row throws(HalyardError) in
      ResolvedLink(row)
    }
  }

  /// Follows a link, and reads title and card of the page where it ends.
  ///
  /// - Parameter embed: Also ask the page's oEmbed endpoint, where it names one, for ``PageInfo/Card/embed``.
  public func title(
    _ link: some LinkConvertible, embed: Bool = false, options: CallOptions = CallOptions()
  ) -> HalyardCall<PageInfo> {
    var draft = JobDraft(kind: .title, input: link.linkText)
    draft.reading.wantsEmbed = embed
    return call(draft, options) { row throws(HalyardError) in try PageInfo(row) }
  }

  /// Follows a link, and decodes the JSON where it ends.
  ///
  /// - Parameters:
  ///   - select: The part of it to decode, a JSON Pointer or a JSONPath query; nil for all of it.
  ///   - require: What must be there; else the call fails with ``HalyardError/Kind/decodeMismatch``.
  ///   - decoder: How dates, keys and the like are read.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, from link: some LinkConvertible, select: String? = nil,
    require: [Requirement] = [], by decoder: JSONDecoder = JSONDecoder(), options: CallOptions = CallOptions()
  ) -> HalyardCall<DecodedDocument<Value>> {
    let draft = JobDraft(
      kind: .decode, input: link.linkText, select: select, require: require.map(\.text))
    return call(draft, options) { row throws(HalyardError) in try DecodedDocument(row, by: decoder) }
  }

  /// Runs a recipe, and decodes what it gathers.
  ///
  /// - Parameters:
  ///   - parameters: The recipe's parameters, by name.
  ///   - type: What its output is read as.
  ///   - decoder: How dates, keys and the like are read.
  ///   - options: For the run and each of its calls.
  public func run<Value: Decodable & Sendable>(
    _ recipe: Recipe, _ parameters: [String: RecipeParameter] = [:], as type: Value.Type,
    by decoder: JSONDecoder = JSONDecoder(), options: CallOptions = CallOptions()
  ) -> HalyardCall<RecipeResult<Value>> {
    var draft = JobDraft(kind: .run, input: recipe.name)
    draft.reading.recipe = recipe.json
    draft.reading.parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.word)" }
    return call(draft, options) { row throws(HalyardError) in
      RecipeResult(row, try row.decoded(Value.self, by: decoder))
    }
  }

  private func call<Output: Sendable>(
    _ draft: JobDraft, _ options: CallOptions,
    _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output
  ) -> HalyardCall<Output> {
    HalyardCall(AskedJob(client: self, draft: options.applied(to: draft), options: options), read)
  }
}

/// What else to do where a link ends: still one job, and one GET.
///
/// A call that was made of a closure has no link to go on from: these fail then. ``HalyardCall/then(_:)`` goes on from any call.
extension HalyardCall<ResolvedLink> {
  /// Reads title and card of the page too, with the same options; see ``HalyardClient/title(_:embed:options:)``.
  public func title(embed: Bool = false) -> HalyardCall<PageInfo> {
    chained { client, link, options in client.title(link, embed: embed, options: options) }
  }

  /// Decodes the JSON too, with the same options; see ``HalyardClient/decode(_:from:select:require:by:options:)``.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, select: String? = nil, require: [Requirement] = [],
    by decoder: JSONDecoder = JSONDecoder()
  ) -> HalyardCall<DecodedDocument<Value>> {
    chained { client, link, options in
      client.decode(type, from: link, select: select, require: require, by: decoder, options: options)
    }
  }

  private func chained<New: Sendable>(
    _ next: (HalyardClient, String, CallOptions) -> HalyardCall<New>
  ) -> HalyardCall<New> {
    switch source {
    case .job(let job, _): next(job.client, job.draft.input ?? "", job.options)
    case .work:
      HalyardCall<New> {
        throw HalyardError(
          .missingInput, at: .input, "a call that was made of a closure has no link; go on with then(_:)")
      }
    }
  }
}
