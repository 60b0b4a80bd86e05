package io.posthorn.receiver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The vectors that the libraries of all languages share. */
class VectorsTest {
    private static final JsonNode FILE = new ObjectMapper().readTree(new File("../../fixtures/signature-vectors.json"));
    private static final JsonNode DEFAULTS = FILE.get("defaults");

    @TestFactory
    Stream<DynamicTest> aRequestGetsTheVerdictOfItsVector() {
        return each("verify", vector -> {
            Instant now = Instant.ofEpochSecond(option(vector, "now").asLong());
            Verifier verifier = Verifier.builder()
                    .secrets(texts(option(vector, "secrets")))
                    .toleranceSeconds(option(vector, "toleranceSeconds").asLong())
                    .clock(InstantSource.fixed(now))
                    .build();
            byte[] body = bytes(vector.get("bodyBase64"));
            List<String> lines = vector.has("headers") ? texts(vector.get("headers")) : latin1(vector.get("headersBase64"));
            JsonNode right = vector.get("expect");
            if (right.get("result").asString().equals("reject")) {
                assertRefused(VerificationException.class, right.get("code"), 401, () -> verifier.verify(body, lines));
                return;
            }

            Verified verified = verifier.verify(body, lines);

            assertEquals(Long.parseLong(right.get("timestamp").asString()), verified.timestamp());
            assertEquals(right.get("secretIndex").asInt(), verified.secretIndex());
            assertEquals(right.get("partName").asString(), verified.partName());
            if (right.path("payload").asString("").startsWith("payload_")) {
                assertRefused(PayloadException.class, right.get("payload"), 400, () -> Event.parse(body));
            } else if (right.has("payload")) {
                assertEquals("evt_1", Event.parse(body).id());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aConfigurationErrorPreventsStartup() {
        return each("config", vector -> {
            if (!compiles(vector)) {
                return;
            }
            assertRefused(UsageException.class, vector.get("expect").get("code"), 500, () -> Verifier.builder()
                    .secrets(vector.get("secrets").isNull() ? null : texts(vector.get("secrets")))
                    .toleranceSeconds(option(vector, "toleranceSeconds").asLong())
                    .build());
        });
    }

    @Test
    void theCompilerRefusesTheOtherConfigurationErrors() {
        Set<String> refused = new TreeSet<>();
        FILE.get("config").forEach(vector -> {
            if (!compiles(vector)) {
                refused.add(vector.get("id").asString());
            }
        });
        assertEquals(Set.of("secret-number", "tolerance-fraction", "tolerance-null", "tolerance-text"), refused);
    }

    @TestFactory
    Stream<DynamicTest> signsAsTheServiceDoes() {
        return each("sign", vector -> assertEquals(
                vector.get("expectHeader").asString(),
                Signature.sign(
                        bytes(vector.get("bodyBase64")), texts(vector.get("secrets")), vector.get("timestamp").asLong())));
    }

    /** Whether Java can express a configuration: its secrets are text, and its tolerance is a whole number. */
    private static boolean compiles(JsonNode vector) {
        for (JsonNode secret : vector.get("secrets")) {
            if (!secret.isString()) {
                return false;
            }
        }
        return option(vector, "toleranceSeconds").isIntegralNumber();
    }

    private static Stream<DynamicTest> each(String group, java.util.function.Consumer<JsonNode> check) {
        return FILE.get(group).valueStream()
                .map(vector -> DynamicTest.dynamicTest(vector.get("id").asString(), () -> check.accept(vector)));
    }

    private static void assertRefused(
            Class<? extends WebhookException> type, JsonNode code, int status, org.junit.jupiter.api.function.Executable act) {
        WebhookException error = assertThrows(type, act);
        assertEquals(code.asString(), error.code().code());
        assertEquals(status, error.status());
    }

    private static JsonNode option(JsonNode vector, String name) {
        return vector.has(name) ? vector.get(name) : DEFAULTS.get(name);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString()));
        return texts;
    }

    private static List<String> latin1(JsonNode array) {
        return texts(array).stream()
                .map(line -> new String(Base64.getDecoder().decode(line), StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asString());
    }
}
