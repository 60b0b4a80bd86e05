package io.posthorn.receiver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads cases as JSON lines and prints a verdict for each, so that another language can compare them with its own. A case:
 * {@code {"secrets": [base64], "toleranceSeconds": 300, "now": 1700000000, "headers": [base64], "body": base64}}
 */
final class Judge {
    private Judge() {
    }

    public static void main(String[] args) throws IOException {
        ObjectMapper json = new ObjectMapper();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder verdicts = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            verdicts.append(String.join(" ", verdict(json.readTree(line)))).append('\n');
        }
        System.out.print(verdicts);
    }

    private static List<String> verdict(JsonNode one) {
        List<String> verdict = new ArrayList<>();
        byte[] body = Base64.getDecoder().decode(one.get("body").asString());
        Instant now = Instant.ofEpochSecond(one.get("now").asLong());
        try {
            Verified verified = Verifier.builder()
                    .secrets(decoded(one.get("secrets"), StandardCharsets.UTF_8))
                    .toleranceSeconds(one.get("toleranceSeconds").asLong())
                    .clock(InstantSource.fixed(now))
                    .build()
                    .verify(body, decoded(one.get("headers"), StandardCharsets.ISO_8859_1));
            verdict.add(String.valueOf(verified.timestamp()));
            verdict.add(String.valueOf(verified.secretIndex()));
            verdict.add(verified.partName());
            verdict.add(verified.parts());
            verdict.add(Event.parse(body).data() instanceof UnknownData ? "unknown" : "known");
        } catch (WebhookException error) {
            verdict.add(error.code().code());
        }
        return verdict;
    }

    private static List<String> decoded(JsonNode array, java.nio.charset.Charset charset) {
        return array.valueStream()
                .map(text -> new String(Base64.getDecoder().decode(text.asString()), charset))
                .toList();
    }
}
