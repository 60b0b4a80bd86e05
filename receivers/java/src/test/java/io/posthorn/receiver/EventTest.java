package io.posthorn.receiver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {
    @Test
    void aKnownTypeHasTypedData() {
        Event event = parse("""
                {"id":"evt_1","type":"email.bounced","created_at":"2026-01-02T03:04:05.678Z","data":{
                  "email_id":"em_1","to":["ann@example.org"],"occurred_at":"2026-01-02T03:04:05Z","subject":"Grüße",
                  "tags":{"a":"b"},"metadata":{"n":1,"yes":true,"none":null},"recipient":"ann@example.org","attempts":2,
                  "bounce":{"type":"permanent","category":"invalid_recipient","message":"No mailbox.",
                    "timing":"synchronous","evidence":"enhanced_status_code"},
                  "smtp_response":{"code":550,"enhanced_code":"5.1.1","message":"User unknown"},"later":[1.5]}}""");

        assertEquals(Instant.parse("2026-01-02T03:04:05.678Z"), event.createdAt());
        EmailBounced bounced = assertInstanceOf(EmailBounced.class, event.data());
        assertEquals("ann@example.org", bounced.recipient());
        assertEquals("invalid_recipient", bounced.bounce().category());
        assertNull(bounced.bounce().finalRecipient());
        assertEquals(new SmtpResponse(550, "5.1.1", "User unknown", null), bounced.smtpResponse());
        assertNull(bounced.remoteMta());
        assertEquals(2, bounced.attempts());
        assertEquals(List.of("ann@example.org"), bounced.to());
        assertEquals("Grüße", bounced.subject());
        assertEquals(Map.of("a", "b"), bounced.tags());
        assertEquals(1L, bounced.metadata().get("n"));
        assertEquals(Instant.parse("2026-01-02T03:04:05Z"), bounced.occurredAt());
        assertNull(bounced.sentAt());
        assertEquals(List.of(1.5), bounced.fields().get("later"));
    }

    @Test
    void everyKnownTypeHasItsRecord() {
        EmailDelivered delivered = assertInstanceOf(EmailDelivered.class, data("email.delivered", """
                {"email_id":"em_1","remote_mta":{"name":"mx1.example.org","ip":"192.0.2.7"},"tls":null}"""));
        assertEquals(new RemoteMta("mx1.example.org", "192.0.2.7"), delivered.remoteMta());
        assertNull(delivered.tls());
        assertEquals("em_1", delivered.emailId());

        EmailFailed failed = assertInstanceOf(EmailFailed.class, data("email.failed", """
                {"scope":"recipient","failure":{"category":"policy","reason":"suppressed","retryable":true,
                 "suppression":{"reason":"bounced","since":"2026-01-02T03:04:05Z"}}}"""));
        assertEquals("policy", failed.failure().category());
        assertEquals(true, failed.failure().retryable());
        assertEquals(false, failed.failure().expired());
        assertEquals("bounced", failed.failure().suppression().reason());

        EmailUnsubscribed unsubscribed = assertInstanceOf(EmailUnsubscribed.class, data("email.unsubscribed", """
                {"recipient":"ann@example.org","unsubscribe":{"source":"one_click","scope":{"type":"list","id":"l_1"}}}"""));
        assertEquals("one_click", unsubscribed.unsubscribe().source());
        assertEquals(new EmailUnsubscribed.Scope("list", "l_1"), unsubscribed.unsubscribe().scope());

        assertInstanceOf(EmailComplained.class, data("email.complained", "{}"));
        EmailDeferred deferred = assertInstanceOf(EmailDeferred.class, data("email.deferred", """
                {"deferral":{"category":"infrastructure","reason":"mailbox_full"},"attempts":1}"""));
        assertEquals("mailbox_full", deferred.deferral().reason());
        EmailSuppressed suppressed = assertInstanceOf(EmailSuppressed.class, data("email.suppressed", """
                {"suppression":{"reason":"bounced","since":"2026-01-02T03:04:05Z"}}"""));
        assertEquals("bounced", suppressed.suppression().reason());
    }

    @Test
    void anUnknownTypeIsKept() {
        Event event = parse("{\"id\":\"evt_2\",\"type\":\"email.opened\",\"data\":{\"a\":1}}");
        assertEquals("email.opened", event.type());
        assertEquals(new UnknownData(Map.of("a", 1L)), event.data());
    }

    @Test
    void oddDataDoesNotFail() {
        EmailBounced bounced = assertInstanceOf(EmailBounced.class, data("email.bounced", """
                {"recipient":1,"bounce":[],"to":"x","occurred_at":"soon","attempts":1e99,"smtp_response":"x"}"""));
        assertNull(bounced.recipient());
        assertNull(bounced.occurredAt());
        assertNull(bounced.attempts());
        assertEquals(List.of(), bounced.to());
    }

    @Test
    void jsonIsReadAsInJavaScript() {
        Map<String, Object> read = data("t", """
                {"half":"a \\ud83d","whole":"\\ud83d\\ude00","text":"\\\\ud83d","escapes":"\\"\\/\\b\\f\\n\\r\\t\\u00E9",
                 "twice":0,"twice":1,"zero":-0,"large":12345678901234567890,"infinite":1e999,"small":-1.5E-9,
                 "list":[true,false,null,{},[]]}""").fields();
        assertEquals("a \ud83d", read.get("half"));
        assertEquals("😀", read.get("whole"));
        assertEquals("\\ud83d", read.get("text"));
        assertEquals("\"/\b\f\n\r\té", read.get("escapes"));
        assertEquals(1L, read.get("twice"));
        assertEquals(12345678901234567890d, read.get("large"));
        assertEquals(Double.POSITIVE_INFINITY, read.get("infinite"));
        assertEquals(-1.5e-9, read.get("small"));
        assertEquals(Arrays.asList(true, false, null, Map.of(), List.of()), read.get("list"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "01", "1.", ".5",
        "+1", "-", "1e", "1e+", "0x1", "NaN", "Infinity", "TRUE", "nul", "nulll", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"",
        "\"\\u00g0\"", "\"\\u\u0660000\"", "\"\t\"", "\"\u001f\"", "{} {}", "[1] x", "\u00a01", "1\f", "\ufeff\ufeff1", "//\n1",
        "{\"a\":1]", "[1}", "\0",
    })
    void whatIsNotJsonIsRefused(String text) {
        assertEquals(ErrorCode.PAYLOAD_NOT_JSON, refusal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        for (int[] bad : new int[][] {{0xff}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xf5, 0x80, 0x80, 0x80}, {0xe2, 0x82}}) {
            byte[] body = new byte[bad.length + 2];
            body[0] = body[body.length - 1] = '"';
            for (int i = 0; i < bad.length; i++) {
                body[i + 1] = (byte) bad[i];
            }
            assertEquals(ErrorCode.PAYLOAD_NOT_JSON, refusal(body));
        }
    }

    @Test
    void jsonMayBeNestedAThousandTimes() {
        assertEquals("evt_1", parse(nested(998)).id());
        assertEquals(ErrorCode.PAYLOAD_NOT_JSON, refusal(nested(999).getBytes(StandardCharsets.UTF_8)));
        assertEquals(ErrorCode.PAYLOAD_NOT_JSON, refusal("[".repeat(1_000_000).getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "[]", "1", "null", "\"evt_1\"", "{}", "{\"id\":\"evt_1\"}", "{\"type\":\"t\"}", "{\"id\":1,\"type\":\"t\"}",
        "{\"id\":\"\",\"type\":\"t\"}", "{\"id\":\"e\",\"type\":\"t\",\"data\":[]}", "{\"id\":\"e\",\"type\":\"t\",\"data\":null}",
        "{\"id\":\"e\",\"type\":\"t\",\"data\":\"x\"}",
    })
    void whatIsNotAnEventIsRefused(String text) {
        assertEquals(ErrorCode.PAYLOAD_NOT_EVENT, refusal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aNameHasAtMost255Characters() {
        String longest = "😀".repeat(127) + "a";
        assertEquals(longest, parse("{\"id\":\"" + longest + "\",\"type\":\"t\"}").id());
        String longer = "{\"id\":\"" + longest + "a\",\"type\":\"t\"}";
        assertEquals(ErrorCode.PAYLOAD_NOT_EVENT, refusal(longer.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void errorsDoNotQuoteTheBody() {
        PayloadException error = assertThrows(
                PayloadException.class, () -> Event.parse("{ann@example.org}".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-1, error.getMessage().indexOf("ann@"));
        assertNull(error.getCause());
    }

    /** An event whose data nests further: two levels are its own. */
    private static String nested(int levels) {
        return "{\"id\":\"evt_1\",\"type\":\"t\",\"data\":{\"a\":" + "[".repeat(levels) + "]".repeat(levels) + "}}";
    }

    private static EventData data(String type, String data) {
        return parse("{\"id\":\"evt_1\",\"type\":\"" + type + "\",\"data\":" + data + "}").data();
    }

    private static Event parse(String text) {
        return Event.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static ErrorCode refusal(byte[] body) {
        return assertThrows(PayloadException.class, () -> Event.parse(body)).code();
    }
}
