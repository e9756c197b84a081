enum DemoOption {
  static let serve = TypedOption<Bool>.flag(
    OptionLabel(
      name: "serve", group: .general, summary: "Only serve the site, until interrupted; prints its address"),
    negatable: false)

  static let port = TypedOption<Int>.integer(
    OptionLabel(
      name: "port", placeholder: "N", group: .general,
      summary: "The port of 127.0.0.1 to serve on; 0 means one that is free"), default: 0, in: 0...65_535)
}
