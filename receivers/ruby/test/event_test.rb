# frozen_string_literal: true

require "test_helper"

class EventTest < Minitest::Test
  def test_known_types_have_data_and_unknown_types_are_kept
    event = R::Event.parse(BODY)
    assert_predicate event, :known?
    assert_equal "ann@example.org", event.bounced[:recipient]
    assert_equal [nil, nil, nil], [event.delivered, event.failed, event.unsubscribed]

    later = R::Event.parse('{"id":"evt_2","type":"email.opened","data":{},"created_at":"2026-01-02T03:04:05.678Z"}')
    refute_predicate later, :known?
    assert_equal ["email.opened", "2026-01-02T03:04:05.678Z"], [later.type, later.created_at]
  end

  def test_an_event_works_with_pattern_matching
    case R::Event.parse(BODY)
    in { type: "email.bounced", data: { recipient: } }
      assert_equal "ann@example.org", recipient
    end
  end

  def test_json_that_only_ruby_accepts_is_refused
    [
      "{/**/", "{ // x\n", "{\"x\":\"\\q\",", "{\"x\":\"\\u12\",", "{\"x\":NaN,", "{\"x\":-Infinity,", "{\"x\":01,", "{\"x\":1.,",
      "{\"x\":'a',", "{\"x\":\"\n\",", "{\"x\":\"\0\",", "{\"x\":[1,],", "{,", "\uFEFF\uFEFF{", "\u00A0{", "\0{"
    ].each do |start|
      assert_refused(R::PayloadError, :payload_not_json) { R::Event.parse("#{start}\"id\":\"e\",\"type\":\"t\"}") }
    end
    ["#{BODY}\0", "#{BODY}x", "#{BODY}/**/", BODY.sub("ann", "\xFF"), BODY.sub("ann", "\xED\xA0\x80")].each do |odd|
      assert_refused(R::PayloadError, :payload_not_json) { R::Event.parse(odd) }
    end
  end

  def test_odd_json_gets_the_same_verdict_as_in_javascript
    cut = '{"id":"e","type":"t","data":{"subject":"a \ud83d","mixed":"\ud83d\u0041","whole":"\ud83d\ude00","text":"\\\\ud83d"}}'
    assert_equal({ subject: "a \uFFFD", mixed: "\uFFFDA", whole: "😀", text: '\ud83d' }, R::Event.parse(cut).data)
    assert_equal({ a: 2 }, R::Event.parse('{"id":"e","type":"t","data":{"a":1,"a":2}}').data)
    assert_equal({ json_class: "String" }, R::Event.parse('{"id":"e","type":"t","data":{"json_class":"String"}}').data)
    assert_equal({}, R::Event.parse("\uFEFF{\"id\":\"e\",\"type\":\"t\"}".b).data)

    longest = "#{"😀" * 127}a"
    assert_equal longest, R::Event.parse(%({"id":"#{longest}","type":"t"})).id
    ['"data":[]', '"data":null', '"data":"x"', %("id":"#{longest}a"), '"type":null', '"id":""'].each do |odd|
      assert_refused(R::PayloadError, :payload_not_event) { R::Event.parse(%({"id":"e","type":"t",#{odd}})) }
    end
  end

  def test_a_deep_body_is_refused_even_with_a_small_stack
    deep = %({"id":"e","type":"t","data":{"x":#{"[" * 99}#{"]" * 99}}})
    Fiber.new { assert_refused(R::PayloadError, :payload_not_json) { R::Event.parse(deep) } }.resume
  end

  def test_an_error_quotes_no_body
    error = assert_refused(R::PayloadError, :payload_not_json) { R::Event.parse("{\"to\":\"ann@example.org\"") }
    assert_nil error.cause
    refute_includes error.full_message, "ann@"
  end
end
