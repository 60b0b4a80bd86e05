# frozen_string_literal: true

require_relative "lib/posthorn/receiver/version"

Gem::Specification.new do |spec|
  spec.name = "posthorn-receiver"
  spec.version = Posthorn::Receiver::VERSION
  spec.summary = "Verifies Posthorn's signed webhooks"
  spec.description = "Verifies Posthorn's signed webhooks, in plain Ruby, Rack and Rails, and processes each event once. " \
                     "No dependencies."
  spec.authors = ["The Posthorn authors"]
  spec.license = "Apache-2.0"
  spec.required_ruby_version = ">= 3.1"
  spec.metadata = { "rubygems_mfa_required" => "true" }
  spec.files = Dir.chdir(__dir__) { Dir["{lib,sig}/**/*.{rb,rbs}", "CHANGELOG.md", "LICENSE", "README.md"] }
  spec.extra_rdoc_files = ["README.md", "CHANGELOG.md"]
  spec.rdoc_options = ["--main", "README.md"]
end
