# frozen_string_literal: true

require "test_helper"
require "action_controller"
require "pp"

class MisuseTest < Minitest::Test
  def test_a_parsed_body_is_explained
    params = ActionController::Parameters.new(id: "evt_1")
    [{ id: "evt_1" }, params, ["evt_1"], R::Event.parse(BODY), 5].each do |parsed|
      error = assert_refused(R::UsageError, :body_already_parsed) { verifier.verify(parsed, header) }
      assert_includes error.message, "request.raw_post"
      assert_includes error.message, parsed.class.name
    end
    assert_refused(R::UsageError, :body_missing) { verifier.verify(nil, header) }
    error = assert_refused(R::UsageError, :body_missing) { verifier.verify(StringIO.new(BODY), header) }
    assert_includes error.message, "StringIO: read it"
  end

  def test_a_secret_that_cannot_work_is_explained
    {
      "" => "Is the environment variable set",
      nil => "Is the environment variable set",
      :secret => "it is not text",
      "#{SECRET}\n" => "remove it with strip",
      "#{SECRET}\u00A0" => "remove it with strip",
      "whsec_test" => "secret_prefix is only its beginning",
      "\"#{SECRET}\"" => "without quotes",
      "#{SECRET}\xFF" => "not the secret of an endpoint",
      "#{SECRET}\xFF".b => "not the secret of an endpoint"
    }.each do |secret, words|
      error = assert_raises(R::UsageError, secret.inspect) { R::Verifier.new([SECRET, secret]) }
      assert_includes error.message, words
      refute_includes error.full_message, SECRET
    end
  end

  def test_a_secret_is_text_in_any_encoding
    signed = R.sign(BODY, SECRET)
    [SECRET.b, SECRET.encode(Encoding::US_ASCII), SECRET.encode(Encoding::UTF_16LE)].each do |secret|
      assert_equal "v1", R::Verifier.new(secret).verify(BODY, signed).part_name
    end
  end

  def test_text_that_was_converted_is_explained
    sent = '{"subject":"Grüße"}'
    signed = R.sign(sent, SECRET)
    error = assert_refused(R::VerificationError, :signature_mismatch) do
      verifier.verify(sent.encode(Encoding::ISO_8859_1), signed)
    end
    assert_includes error.message, "text in ISO-8859-1"
    assert_includes error.message, "do not encode, strip"

    [sent.b, sent.dup.force_encoding(Encoding::UTF_16LE)].each do |same_bytes|
      assert_equal "v1", verifier.verify(same_bytes, signed).part_name
    end
    refute_includes assert_raises(R::VerificationError) { verifier.verify("#{sent}\n", signed) }.message, "text in"
  end

  def test_every_byte_of_the_body_counts
    all = (0..255).to_a.pack("C*")
    ["", all, "\xEF\xBB\xBF{}".b, "a\r\nb", "a\0", "\xED\xA0\x80".b, all * 300].each do |body|
      signed = R.sign(body, SECRET)
      assert_equal "v1", verifier.verify(body, signed).part_name
      assert_equal "v1", verifier.verify(body.dup.force_encoding(Encoding::UTF_8).freeze, signed).part_name
      ["#{body}\n", "#{body}\0", body.b.delete_prefix("\xEF".b) + " "].each do |other|
        assert_refused(R::VerificationError, :signature_mismatch) { verifier.verify(other, signed) }
      end
    end
  end

  def test_inspection_shows_no_secret
    assert_equal "#<Posthorn::Receiver::Verifier 1 secrets, x-service-signature>", verifier.inspect
    refute_includes PP.pp(R::Handler.new(verifier), +""), "whsec"
  end

  def test_every_code_is_explained
    R::CODES.each_value { |words| assert_match(/\A.{20,}[.?]\z/, words) }
  end

  def test_headers_are_found_by_name_in_any_spelling
    request = ActionDispatch::Request.new("HTTP_X_SERVICE_SIGNATURE" => header)
    [
      header, [header], { "x-SERVICE-signature" => header }, { "X-Service-Signature" => [header] },
      { "x-service-signature": header }, request.env, request.headers
    ].each { |headers| assert_equal "v1", verifier.verify(BODY, headers).part_name }
    renamed = R::Verifier.new(SECRET, header_name: "X-Acme-Signature")
    [{ "X-Acme-Signature" => header }, { "HTTP_X_ACME_SIGNATURE" => header }].each do |headers|
      assert_equal "v1", renamed.verify(BODY, headers).part_name
    end

    both = { "X-Service-Signature" => header, "x-service-signature" => header }
    assert_refused(R::VerificationError, :header_ambiguous) { verifier.verify(BODY, both) }
    error = assert_refused(R::VerificationError, :header_missing) { renamed.verify(BODY, both) }
    assert_includes error.message, "expected x-acme-signature"
    assert_refused(R::VerificationError, :header_malformed) { verifier.verify(BODY, [5]) }
    assert_refused(R::UsageError, :option_invalid) { verifier.verify(BODY, 5) }
    ["#{header}\xFF", header.encode(Encoding::UTF_16LE)].each do |odd|
      assert_refused(R::VerificationError, :header_malformed) { verifier.verify(BODY, odd) }
    end
  end

  def test_a_part_without_a_value_is_ignored
    ["t", "v1", "v1=", "=", "", "t ,v1s"].each do |part|
      assert_equal "v1", verifier.verify(BODY, "#{part},#{header}").part_name
    end
    assert_refused(R::VerificationError, :timestamp_missing) { verifier.verify(BODY, header.sub(/t=\d+/, "t")) }
  end

  def test_options_that_cannot_work_are_refused
    [{ header_name: "x y" }, { header_name: "" }, { max_body_bytes: 0 }, { max_body_bytes: "1" }].each do |options|
      assert_refused(R::UsageError, :option_invalid) { R::Verifier.new(SECRET, **options) }
    end
    clock = R::Verifier.new(SECRET, now: -> { "now" })
    assert_refused(R::UsageError, :option_invalid) { clock.verify(BODY, header) }
  end

  def test_milliseconds_are_explained
    signed = R.sign(BODY, SECRET, timestamp: Time.now.to_i * 1000)
    error = assert_refused(R::VerificationError, :timestamp_in_future) { verifier.verify(BODY, signed) }
    assert_includes error.message, "looks like milliseconds"
  end

  def test_threads_share_a_verifier
    signed = [SECRET, STAGED].to_h { |secret| [secret, R.sign(BODY, secret)] }
    shared = R::Verifier.new([STAGED, SECRET])
    indexes = Array.new(4) { Thread.new { Array.new(200) { |i| shared.verify(BODY, signed[i.even? ? SECRET : STAGED]).secret_index } } }
    assert_equal [[1, 0] * 100], indexes.map(&:value).uniq
  end

  private

  def verifier = R::Verifier.new(SECRET)

  def header = @header ||= R.sign(BODY, SECRET)
end
