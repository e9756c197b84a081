// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Title",
  dependencies: [.package(name: "halyard", path: "../..")],
  targets: [
    .executableTarget(name: "Title", dependencies: [.product(name: "Halyard", package: "halyard")])
  ],
  swiftLanguageModes: [.v6]
)
