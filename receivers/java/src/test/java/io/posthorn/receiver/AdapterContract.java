package io.posthorn.receiver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.posthorn.receiver.dedupe.Deduplicator;
import io.posthorn.receiver.dedupe.MemoryStore;
import io.posthorn.receiver.served.Served;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each adapter answers like the others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AdapterContract {
    static final String SECRET = "whsec_test_0123456789abcdef0123456789abcdef";
    static final String STAGED = "whsec_test_fedcba9876543210fedcba9876543210";
    static final byte[] BODY = bytes("{\"id\":\"evt_1\",\"type\":\"email.bounced\",\"data\":{\"subject\":\"ü\"}}");
    private static final Got REFUSED = new Got(401, "", "invalid signature\n");

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> processed = Collections.synchronizedList(new ArrayList<>());
    private final List<String> errors = Collections.synchronizedList(new ArrayList<>());
    private final Served served;
    private volatile Receiver receiver;
    private volatile Served.Application application;
    private volatile byte[] bodyRead;

    /** What a request was answered with: the value of {@code verified} is that of {@code X-Service-Verified}. */
    record Got(int status, String verified, String body) {
    }

    AdapterContract(String adapter) throws Exception {
        served = Served.start(adapter, 0, () -> receiver, (event, body) -> {
            processed.add(event.id());
            bodyRead = body;
            return application.process(event, body);
        });
    }

    @BeforeEach
    void forget() {
        processed.clear();
        errors.clear();
        application = (event, body) -> 204;
        receiver = receiver(SECRET);
    }

    @AfterAll
    void close() throws Exception {
        served.close();
    }

    @Test
    void aGoodDeliveryIsProcessedAndProven() throws Exception {
        assertEquals(new Got(204, "v1", ""), send(BODY, header()));
        assertEquals(List.of("evt_1"), processed);
        assertArrayEquals(BODY, bodyRead);
        assertEquals(List.of(), errors);
    }

    @Test
    void theAnswerHeaderFollowsTheSignatureHeader() throws Exception {
        receiver = new Receiver(Verifier.builder().secrets(List.of(SECRET)).headerName("X-Acme-Signature").build());
        HttpRequest branded = request().header("X-Acme-Signature", header()).POST(BodyPublishers.ofByteArray(BODY)).build();
        HttpResponse<String> response = client.send(branded, HttpResponse.BodyHandlers.ofString());
        assertEquals(List.of("v1"), response.headers().allValues("X-Acme-Verified"));
        assertEquals(List.of(), response.headers().allValues("X-Service-Verified"));
    }

    @Test
    void aRotationIsProven() throws Exception {
        receiver = receiver(STAGED, SECRET, SECRET);
        assertEquals(new Got(204, "v1,v1s", ""), send(BODY, Signature.sign(BODY, SECRET, STAGED)));
    }

    @Test
    void forgedAndStaleDeliveriesGetTheSameAnswer() throws Exception {
        long old = System.currentTimeMillis() / 1000 - 600;
        assertEquals(REFUSED, send(BODY, Signature.sign(BODY, STAGED)));
        assertEquals(REFUSED, send(BODY, Signature.sign(BODY, List.of(SECRET), old)));
        assertEquals(REFUSED, send(BODY, List.of()));
        assertEquals(REFUSED, send(BODY, List.of(header(), header())));
        assertEquals(List.of(), processed);
        assertEquals(List.of("signature_mismatch", "timestamp_too_old", "header_missing", "header_ambiguous"), errors);
    }

    @Test
    void aDuplicateIsProcessedOnce() throws Exception {
        assertEquals(204, send(BODY, header()).status());
        assertEquals(new Got(200, "v1", "ok\n"), send(BODY, header()));
        assertEquals(List.of("evt_1"), processed);
    }

    @Test
    void anEventThatIsBeingProcessedWaits() throws Exception {
        application = (event, body) -> {
            try {
                assertEquals(new Got(409, "v1", "in progress\n"), send(BODY, header()));
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
            return 204;
        };
        assertEquals(204, send(BODY, header()).status());
        assertEquals(List.of("evt_1"), processed);
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 404, 302})
    void anAnswerOtherThan2xxIsKeptAndTheEventRunsAgain(int status) throws Exception {
        application = (event, body) -> status;
        assertEquals(status, send(BODY, header()).status());
        application = (event, body) -> 200;
        assertEquals(new Got(200, "v1", ""), send(BODY, header()));
        assertEquals(List.of("evt_1", "evt_1"), processed);
    }

    @Test
    void anErrorOfYourCodeReachesTheFrameworkAndTheEventRunsAgain() throws Exception {
        application = (event, body) -> fail("not now");
        assertEquals(500, send(BODY, header()).status());
        application = (event, body) -> {
            throw new IOException("not now either");
        };
        assertEquals(500, send(BODY, header()).status());
        application = (event, body) -> 200;
        assertEquals(200, send(BODY, header()).status());
        assertEquals(3, processed.size());
        assertEquals(List.of(), errors);
    }

    @Test
    void anAsynchronousAnswerIsRefusedAndTheEventRunsAgain() throws Exception {
        assertEquals(500, send(request().header("X-Async", "1"), BodyPublishers.ofByteArray(BODY), header()).status());
        assertEquals(204, send(BODY, header()).status());
    }

    @Test
    void bodiesThatCannotBeUsedAreRefused() throws Exception {
        byte[] array = bytes("[]");
        assertEquals(new Got(400, "", "invalid payload\n"), send(array, Signature.sign(array, SECRET)));
        byte[] large = bytes(" ".repeat(1_048_577));
        assertEquals(413, send(large, Signature.sign(large, SECRET)).status());
        assertEquals(List.of("payload_not_event", "payload_too_large"), errors);
        byte[] largest = bytes("{\"id\":\"evt_1\",\"type\":\"t\"}" + " ".repeat(1_048_576 - 25));
        assertEquals(204, send(largest, Signature.sign(largest, SECRET)).status());
    }

    @Test
    void aBodyMayArriveInChunks() throws Exception {
        BodyPublisher chunks = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(BODY));
        assertEquals(204, send(request(), chunks, header()).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "some", "reader"})
    void aBodyThatWasReadBeforeIsExplained(String how) throws Exception {
        HttpRequest.Builder request = request().header("X-Reads-First", how);
        Got got = send(request, BodyPublishers.ofByteArray(BODY), header());
        assertEquals(new Got(500, "", "not processed\n"), got);
        if (how.equals("stream")) {
            BodyPublisher chunks = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(BODY));
            assertEquals(500, send(request().header("X-Reads-First", how), chunks, header()).status());
        }
        assertEquals("body_already_consumed", errors.get(errors.size() - 1));
        assertEquals(List.of(), processed);
    }

    @Test
    void onlyPostIsAnswered() throws Exception {
        for (String method : List.of("GET", "PUT", "DELETE")) {
            HttpRequest request = request().method(method, BodyPublishers.noBody()).build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(405, response.statusCode());
            assertEquals("POST", response.headers().firstValue("Allow").orElse(""));
        }
    }

    @Test
    void aStoreThatFailsIsExplained() throws Exception {
        receiver = new Receiver(Verifier.of(SECRET))
                .with(new Deduplicator(new FailingStore()))
                .onError(error -> errors.add(error.code().code()));
        assertEquals(new Got(503, "", "not processed\n"), send(BODY, header()));
        assertEquals(List.of("store_unavailable"), errors);
        assertEquals(List.of(), processed);
    }

    private Receiver receiver(String... secrets) {
        return new Receiver(Verifier.of(secrets))
                .with(new Deduplicator(new MemoryStore()))
                .onError(error -> errors.add(error.code().code()));
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + "/hooks"))
                .header("Content-Type", "application/json");
    }

    private Got send(byte[] body, String header) throws IOException, InterruptedException {
        return send(request(), BodyPublishers.ofByteArray(body), header);
    }

    private Got send(byte[] body, Collection<String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request();
        headers.forEach(line -> request.header("X-Service-Signature", line));
        return send(request.POST(BodyPublishers.ofByteArray(body)).build());
    }

    private Got send(HttpRequest.Builder request, BodyPublisher body, String header)
            throws IOException, InterruptedException {
        return send(request.header("X-Service-Signature", header).POST(body).build());
    }

    private Got send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        String verified = response.headers().firstValue("X-Service-Verified").orElse("");
        return new Got(response.statusCode(), verified, response.body());
    }

    private static String header() {
        return Signature.sign(BODY, SECRET);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
