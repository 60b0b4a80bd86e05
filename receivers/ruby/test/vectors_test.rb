# frozen_string_literal: true

require "test_helper"

# The vectors that the libraries of all languages share.
class VectorsTest < Minitest::Test
  FILE = JSON.parse(File.read(File.expand_path("../../../fixtures/signature-vectors.json", __dir__)))

  FILE["verify"].each do |vector|
    define_method("test_the_verdict_of_#{vector["id"]}") do
      given = FILE["defaults"].merge(vector)
      right = vector["expect"]
      verifier = R::Verifier.new(given["secrets"], tolerance_seconds: given["toleranceSeconds"], now: -> { given["now"] })
      body = given["bodyBase64"].unpack1("m")
      lines = given["headers"] || given["headersBase64"].map { |line| line.unpack1("m") }

      if right["result"] == "reject"
        error = assert_refused(R::VerificationError, right["code"].to_sym) { verifier.verify(body, lines) }
        assert_equal 401, error.status
      else
        verified = verifier.verify(body, lines)
        assert_equal [right["timestamp"].to_i, right["secretIndex"], right["partName"]],
                     [verified.timestamp, verified.secret_index, verified.part_name]
        assert_payload(right["payload"]) { verifier.construct_event(body, lines) } if right["payload"]
      end
    end
  end

  FILE["config"].each do |vector|
    define_method("test_the_configuration_#{vector["id"]}_prevents_startup") do
      options = vector.key?("toleranceSeconds") ? { tolerance_seconds: vector["toleranceSeconds"] } : {}
      error = assert_refused(R::UsageError, vector["expect"]["code"].to_sym) do
        R::Verifier.new(vector["secrets"], **options)
      end
      assert_equal 500, error.status
    end
  end

  FILE["sign"].each do |vector|
    define_method("test_signs_#{vector["id"]}_as_the_service_does") do
      header = R.sign(vector["bodyBase64"].unpack1("m"), vector["secrets"], timestamp: vector["timestamp"])
      assert_equal vector["expectHeader"], header
    end
  end

  private

  def assert_payload(payload, &read)
    return assert_equal("evt_1", read.call.id) if payload == "event"

    assert_equal 400, assert_refused(R::PayloadError, payload.to_sym, &read).status
  end
end
