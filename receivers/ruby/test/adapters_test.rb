# frozen_string_literal: true

require "test_helper"
require "rack"
require "rails_application"

# Each adapter answers like the others.
class AdaptersTest < Minitest::Test
  def setup
    @processed = []
    @errors = []
    @handler_status = 204
  end

  # Defines a test for every adapter. The block gets a method that sends a request and returns status, proof and text.
  def self.promise(name, &block)
    %i[rack rails].each { |adapter| define_method("test_#{name}_#{adapter}") { instance_exec(method(adapter), &block) } }
  end

  promise :a_good_delivery_is_processed_and_proven do |app|
    assert_equal [204, "v1", ""], send_to(app.call)
    assert_equal ["evt_1"], @processed
    assert_empty @errors
  end

  promise :a_rotation_is_proven do |app|
    assert_equal [204, "v1,v1s", ""], send_to(app.call([STAGED, SECRET, SECRET]), header: R.sign(BODY, [SECRET, STAGED]))
  end

  promise :forged_and_stale_deliveries_get_the_same_answer do |app|
    stale = R.sign(BODY, SECRET, timestamp: Time.now.to_i - 600)
    [R.sign(BODY, STAGED), stale, nil].each do |header|
      assert_equal [401, nil, "invalid signature\n"], send_to(app.call, header:)
    end
    assert_equal [401, nil, "invalid signature\n"], send_to(app.call, body: "{not json", header: nil)
    assert_empty @processed
    assert_equal %i[signature_mismatch timestamp_too_old header_missing header_missing], @errors
  end

  promise :a_duplicate_is_processed_once do |app|
    one = app.call
    assert_equal 204, send_to(one).first
    assert_equal [200, "v1", "ok\n"], send_to(one)
    assert_equal ["evt_1"], @processed
  end

  promise :an_answer_other_than_2xx_is_kept_and_the_event_runs_again do |app|
    one = app.call
    [302, 503].each do |status|
      @handler_status = status
      assert_equal status, send_to(one).first
    end
    @handler_status = 200
    assert_equal [200, "v1", ""], send_to(one)
    assert_equal %w[evt_1 evt_1 evt_1], @processed
  end

  promise :an_error_of_your_code_reaches_the_framework_and_the_event_runs_again do |app|
    one = app.call
    @fault = -> { raise ArgumentError, "not now" }
    assert_raises(ArgumentError) { send_to(one) }
    @fault = -> { R::Verifier.new("") }
    assert_raises(R::UsageError) { send_to(one) }
    @fault = nil
    assert_equal 204, send_to(one).first
    assert_empty @errors
  end

  promise :an_event_that_is_being_processed_gets_409 do |app|
    one = app.call
    inner = nil
    @fault = -> { inner ||= send_to(one) }
    assert_equal 204, send_to(one).first
    assert_equal [409, "v1", "in progress\n"], inner
    assert_equal ["evt_1"], @processed
  end

  promise :a_store_that_fails_gets_503 do |app|
    broken = R::MemoryStore.new
    def broken.claim(*) = raise("gone")
    assert_equal [503, nil, "not processed\n"], send_to(app.call(dedupe: R::Deduplicator.new(broken)))
    assert_equal [:store_unavailable], @errors
  end

  promise :bodies_that_cannot_be_used_are_refused do |app|
    assert_equal [400, nil, "invalid payload\n"], send_to(app.call, body: "[]")
    assert_equal [400, nil, "invalid payload\n"], send_to(app.call, body: "{not json")
    assert_equal [413, nil, "invalid payload\n"], send_to(app.call, body: " " * 1_048_577)
    assert_equal 400, send_to(app.call, body: " " * 1_048_576).first
    assert_equal %i[payload_not_event payload_not_json payload_too_large payload_not_json], @errors
  end

  promise :only_post_is_answered do |app|
    %w[GET PUT].each { |method| assert_equal [405, nil, "POST only\n"], send_to(app.call, method:) }
  end

  promise :a_body_that_something_read_before_is_explained do |app|
    input = Once.new(BODY)
    input.read
    assert_equal [500, nil, "not processed\n"], send_to(app.call, input:)
    assert_equal [:body_already_consumed], @errors
  end

  promise :the_application_reads_the_same_body_after_an_input_that_cannot_rewind do |app|
    assert_equal 204, send_to(app.call, input: Once.new(BODY)).first
    assert_equal [BODY], @bodies
  end

  promise :every_byte_of_a_body_arrives do |app|
    body = BODY.sub("ann", (0x80..0x2FF).to_a.pack("U*"))
    assert_equal 204, send_to(app.call, body: body.b).first
  end

  promise :the_answer_header_follows_the_signature_header do |app|
    env = Rack::MockRequest.env_for("/hooks", method: "POST", input: BODY, "CONTENT_TYPE" => "application/json",
                                              "HTTP_X_ACME_SIGNATURE" => R.sign(BODY, SECRET))
    _, headers, = app.call(SECRET, header_name: "X-Acme-Signature").call(env)
    headers = Rack::Utils::HeaderHash.new(headers)
    assert_equal ["v1", nil], [headers["X-Acme-Verified"], headers["X-Service-Verified"]]
  end

  def test_a_block_is_a_whole_receiver
    app = Rack::Lint.new(R.app(R::Verifier.new(SECRET)) { |event| @processed << event.id })
    assert_equal [200, "v1", "ok\n"], send_to(app)
    assert_equal ["evt_1"], @processed
  end

  def test_a_refusal_is_reported_by_default
    _, written = capture_io { send_to(R.app(R::Verifier.new(STAGED)) { flunk "ran" }) }
    assert_includes written, "signature_mismatch: No signature matches"
  end

  def test_a_rails_controller_can_choose_the_secret_for_each_request
    send_to(rails)
    chosen = Class.new(HooksController) do
      private

      def posthorn_handler = Posthorn::Receiver::Handler.new(Posthorn::Receiver::Verifier.new(params[:tenant] && SECRET))
    end
    assert_equal 204, send_to(chosen.action(:create), query: "tenant=a").first
  end

  def test_a_rails_controller_without_a_handler_is_explained
    assert_refused(R::UsageError, :option_invalid) { send_to(bare_controller.action(:create)) }
  end

  def test_a_rails_controller_gets_no_other_actions
    assert_equal ["create"], bare_controller.action_methods.to_a
  end

  private

  # An input of Rack 3, which cannot rewind.
  class Once
    def initialize(text)
      @io = StringIO.new(text)
    end

    def read(*sizes) = @io.read(*sizes)
  end

  def bare_controller
    Class.new(ActionController::API) do
      include Posthorn::Receiver::Controller
      def create = head(:ok)
    end
  end

  def options
    { dedupe: R::Deduplicator.new(R::MemoryStore.new), on_error: ->(error) { @errors << error.code } }
  end

  def rack(secrets = SECRET, header_name: "X-Service-Signature", **given)
    handler = lambda do |env|
      process(env["posthorn.event"], env["rack.input"])
      [@handler_status, {}, []]
    end
    R::Middleware.new(handler, R::Verifier.new(secrets, header_name:), **options, **given)
  end

  def rails(secrets = SECRET, header_name: "X-Service-Signature", **given)
    HooksController.posthorn_handler = R::Handler.new(R::Verifier.new(secrets, header_name:), **options, **given)
    HooksController.process = lambda do |event, controller|
      process(event, controller.request.body)
      controller.head(@handler_status)
    end
    RailsApplication
  end

  def process(event, input)
    @fault&.call
    @processed << event.id
    (@bodies ||= []) << input.read
  end

  def send_to(app, body: BODY, header: R.sign(body, SECRET), method: "POST", input: nil, query: "")
    env = Rack::MockRequest.env_for("/hooks?#{query}", method:, input: body, "CONTENT_TYPE" => "application/json")
    env["HTTP_X_SERVICE_SIGNATURE"] = header if header
    env["rack.input"] = input if input
    status, headers, chunks = app.call(env)
    text = +""
    chunks.each { |chunk| text << chunk }
    chunks.close if chunks.respond_to?(:close)
    [status, Rack::Utils::HeaderHash.new(headers)["X-Service-Verified"], text]
  end
end
