// swift-tools-version: 6.2
import PackageDescription

// Without its trait `Fleet`, Halyard needs no libzmq.
let package = Package(
  name: "Samples",
  dependencies: [.package(name: "halyard", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "Jobs",
      dependencies: [
        .product(name: "Halyard", package: "halyard"),
        .product(name: "HalyardConcurrency", package: "halyard"),
      ]),
    .target(name: "Previews", dependencies: [.product(name: "Halyard", package: "halyard")]),
    .testTarget(
      name: "PreviewsTests",
      dependencies: [
        "Previews", .product(name: "Halyard", package: "halyard"),
        .product(name: "HalyardTesting", package: "halyard"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
