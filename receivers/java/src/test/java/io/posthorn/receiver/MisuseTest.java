package io.posthorn.receiver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Executable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MisuseTest {
    private static final String SECRET = "whsec_test_0123456789abcdef0123456789abcdef";
    private static final byte[] BODY = "{\"id\":\"evt_1\",\"type\":\"email.bounced\"}".getBytes(StandardCharsets.UTF_8);

    @ParameterizedTest
    @MethodSource
    void aSecretThatCannotWorkIsExplained(String secret, ErrorCode code, String words) {
        UsageException error = assertThrows(UsageException.class, () -> Verifier.of(SECRET, secret));
        assertEquals(code, error.code());
        assertTrue(error.getMessage().contains(words), error.getMessage());
        assertFalse(error.toString().contains(SECRET));
    }

    static Stream<Arguments> aSecretThatCannotWorkIsExplained() {
        return Stream.of(
                Arguments.of("", ErrorCode.SECRET_EMPTY, "Is the environment variable set?"),
                Arguments.of(null, ErrorCode.SECRET_MISSING, "is the variable set?"),
                Arguments.of(SECRET + "\n", ErrorCode.SECRET_WHITESPACE, "strip()"),
                Arguments.of(SECRET + "\u00A0", ErrorCode.SECRET_WHITESPACE, "strip()"),
                Arguments.of("whsec_test", ErrorCode.SECRET_TOO_SHORT, "secret_prefix is only its beginning"),
                Arguments.of("\"" + SECRET + "\"", ErrorCode.SECRET_WRONG_KIND, "without quotes"),
                Arguments.of("a".repeat(43), ErrorCode.SECRET_WRONG_KIND, "the whole secret (whsec_…)"));
    }

    @Test
    void aMissingEnvironmentVariableIsExplained() {
        String secret = System.getenv("POSTHORN_TEST_NO_SUCH_VARIABLE");
        assertEquals(ErrorCode.SECRET_MISSING, assertThrows(UsageException.class, () -> Verifier.of(secret)).code());
        assertEquals(ErrorCode.SECRET_MISSING, assertThrows(UsageException.class, Verifier::of).code());
        assertEquals(
                ErrorCode.SECRET_MISSING, assertThrows(UsageException.class, () -> Verifier.of((String[]) null)).code());
    }

    @Test
    void theCompilerRefusesABodyThatIsTextOrParsed() {
        Stream<Executable> takesBody = Stream.of(Verifier.class, Event.class, Signature.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> List.of("verify", "constructEvent", "parse", "sign").contains(method.getName()))
                .map(Executable.class::cast);
        assertEquals(List.of(byte[].class), takesBody.<Class<?>>map(method -> method.getParameterTypes()[0]).distinct().toList());
    }

    @Test
    void aMissingBodyIsExplained() {
        UsageException error = assertThrows(UsageException.class, () -> Verifier.of(SECRET).verify(null, header()));
        assertEquals(ErrorCode.BODY_MISSING, error.code());
        assertTrue(error.getMessage().contains("request.getInputStream().readAllBytes()"));
        assertEquals(
                ErrorCode.BODY_MISSING,
                assertThrows(UsageException.class, () -> Signature.sign(null, SECRET)).code());
    }

    @Test
    void textThatWasConvertedIsExplained() {
        byte[] sent = "{\"subject\":\"Grüße\"}".getBytes(StandardCharsets.UTF_8);
        byte[] converted = new String(sent, StandardCharsets.US_ASCII).getBytes(StandardCharsets.UTF_8);
        VerificationException error = assertThrows(
                VerificationException.class,
                () -> Verifier.of(SECRET).verify(converted, Signature.sign(sent, SECRET)));
        assertTrue(error.getMessage().contains("getBytes() of a String is already too late"));
    }

    @Test
    void descriptionsShowNoSecret() {
        assertEquals("Verifier[secrets=2, headerName=X-Service-Signature]", Verifier.of(SECRET, SECRET).toString());
    }

    @ParameterizedTest
    @EnumSource
    void everyCodeIsExplained(ErrorCode code) {
        assertTrue(code.inWords().matches(".{20,}[.?]"), code.inWords());
    }

    @Test
    void headersAreFoundByNameInAnySpelling() {
        Verifier verifier = Verifier.of(SECRET);
        Map<String, List<String>> odd = Map.of("x-SERVICE-signature", List.of(header()), "Other", List.of("a", "b"));
        assertEquals("v1", verifier.verify(BODY, odd).partName());
        assertEquals("evt_1", verifier.constructEvent(BODY, odd).id());
        assertEquals("evt_1", verifier.constructEvent(BODY, header()).id());
        Verifier renamed = Verifier.builder().secrets(List.of(SECRET)).headerName("X-Acme-Signature").build();
        assertEquals("v1", renamed.verify(BODY, Map.of("X-Acme-Signature", List.of(header()))).partName());

        Map<String, List<String>> both =
                Map.of("X-Service-Signature", List.of(header()), "x-service-signature", List.of(header()));
        assertEquals(ErrorCode.HEADER_AMBIGUOUS, refusal(() -> verifier.verify(BODY, both)));
        VerificationException missing =
                assertThrows(VerificationException.class, () -> renamed.verify(BODY, both));
        assertEquals(ErrorCode.HEADER_MISSING, missing.code());
        assertTrue(missing.getMessage().contains("expected X-Acme-Signature"));
        assertEquals(ErrorCode.HEADER_MISSING, refusal(() -> verifier.verify(BODY, (String) null)));
        assertEquals(ErrorCode.HEADER_MISSING, refusal(() -> verifier.verify(BODY, (List<String>) null)));
        assertEquals(ErrorCode.HEADER_MISSING, refusal(() -> verifier.verify(BODY, (Map<String, List<String>>) null)));
    }

    @Test
    void optionsThatCannotWorkAreRefused() {
        Stream.<Verifier.Builder>of(
                        builder().headerName("x y"),
                        builder().headerName(null),
                        builder().maxBodyBytes(0),
                        builder().clock(null))
                .forEach(options -> assertEquals(
                        ErrorCode.OPTION_INVALID, assertThrows(UsageException.class, options::build).code()));
    }

    private static Verifier.Builder builder() {
        return Verifier.builder().secrets(List.of(SECRET));
    }

    private static ErrorCode refusal(org.junit.jupiter.api.function.Executable act) {
        return assertThrows(VerificationException.class, act).code();
    }

    private static String header() {
        return Signature.sign(BODY, SECRET);
    }
}
