# frozen_string_literal: true

require "test_helper"
require "open3"
require "rbconfig"

class TypesTest < Minitest::Test
  ROOT = File.expand_path("..", __dir__)
  TYPES = File.read("#{ROOT}/sig/posthorn/receiver.rbs")

  def test_the_types_are_valid
    printed, status = Open3.capture2e(RbConfig.ruby, "-e", 'load Gem.bin_path("rbs", "rbs")', "--", "-I", "sig", "validate",
                                      "--silent", chdir: ROOT)
    assert_predicate status, :success?, printed
  end

  # RBS checks the types of every call while these tests run, except calls of Structs.
  def test_the_library_keeps_its_types
    env = { "RBS_TEST_TARGET" => "Posthorn::Receiver::*", "RBS_TEST_OPT" => "-I sig", "RBS_TEST_RAISE" => "true",
            "RBS_TEST_LOGLEVEL" => "error" }
    load_tests = '%w[event dedupe adapters].each { |name| require "./test/#{name}_test" }'
    # The checks add public methods to controllers.
    printed, status = Open3.capture2e(env, RbConfig.ruby, "-rrbs/test/setup", "-Ilib", "-Itest", "-e", load_tests, "--",
                                      "--exclude", "/actions/", chdir: ROOT)
    assert_predicate status, :success?, printed
    assert_match(/ [1-9]\d* assertions/, printed)
  end

  def test_the_codes_are_the_same_closed_list_everywhere
    reference = File.read("#{ROOT}/../../packages/receiver/src/errors.ts")[/WebhookErrorCode =\n(.*?)\n\n/m, 1]
    assert_equal reference.scan(/'(\w+)'/).flatten, R::CODES.keys.map(&:to_s)
    assert_equal R::CODES.keys.map(&:to_s), TYPES[/type code =(.*?)\n\n/m, 1].scan(/:(\w+)/).flatten
  end
end
