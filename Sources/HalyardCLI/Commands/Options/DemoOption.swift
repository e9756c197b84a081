enum DemoOption {
  static let serve = Option<Bool>(
    "--serve", .general, .flag, "Only serve the site, until interrupted; prints its address")

  static let port = Option<Int>(
    "--port N", .general, .integer(0...65_535, default: 0),
    "The port of 127.0.0.1 to serve on; 0 means one that is free")
}
