package io.posthorn.receiver;

import io.posthorn.receiver.dedupe.Deduplicator;
import io.posthorn.receiver.dedupe.Outcome;
import io.posthorn.receiver.dedupe.Processed;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Answers webhooks. The adapters use it, and you can write one for another framework with {@link #receive}. */
public final class Receiver {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final Consumer<WebhookException> LOG = error ->
            System.getLogger("io.posthorn.receiver").log(Logger.Level.WARNING, error.getMessage(), error.getCause());

    private final Verifier verifier;
    private final Deduplicator deduplicator;
    private final Consumer<WebhookException> onError;

    /**
     * A receiver that processes an event each time it arrives.
     *
     * @param verifier verifies the requests
     */
    public Receiver(Verifier verifier) {
        this(verifier, null, LOG);
    }

    private Receiver(Verifier verifier, Deduplicator deduplicator, Consumer<WebhookException> onError) {
        this.verifier = verifier;
        this.deduplicator = deduplicator;
        this.onError = onError;
    }

    /**
     * Runs your code once for each event id, even if the event is delivered several times.
     *
     * @param deduplicator remembers what was processed
     * @return a receiver with it
     */
    public Receiver with(Deduplicator deduplicator) {
        return new Receiver(verifier, deduplicator, onError);
    }

    /**
     * Tells you why a request was refused. The default is a warning in the {@code System.Logger} of this package.
     *
     * @param onError gets each error of this library; errors of your code go to your framework
     * @return a receiver with it
     */
    public Receiver onError(Consumer<WebhookException> onError) {
        return new Receiver(verifier, deduplicator, onError);
    }

    /** {@return the name of the signature header} */
    public String headerName() {
        return verifier.headerName();
    }

    /** {@return the name of the answer header that shows which secrets this receiver has} */
    public String verifiedHeaderName() {
        return verifier.verifiedHeaderName();
    }

    /** Reads the raw body. */
    @FunctionalInterface
    public interface Body {
        /**
         * Reads the body.
         *
         * @param bytesMax how many bytes are enough
         * @return the bytes as they arrived
         * @throws IOException if the connection broke
         */
        byte[] read(int bytesMax) throws IOException;
    }

    /**
     * Runs the application for a verified event.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface Application<X extends Exception> {
        /**
         * Processes the event.
         *
         * @param event the event
         * @param verified what matched
         * @param body the bytes that were verified
         * @return the status of the application's own response; unless it is 2xx, the event counts as not processed
         * @throws X if the event was not processed
         */
        int process(Event event, Verified verified, byte[] body) throws X;
    }

    /**
     * Every adapter answers requests with this method. Every failed verification gets the same 401, which does not tell the
     * sender why.
     *
     * @param <X> what the application throws
     * @param method the method of the request
     * @param headerLines every line of the signature header
     * @param body reads the body
     * @param application runs for a verified event
     * @return the answer, or nothing if the application ran: then its own response stands
     * @throws IOException if the body cannot be read
     * @throws X if the application throws it; then the event counts as not processed
     */
    public <X extends Exception> Optional<Answer> receive(
            String method, Collection<String> headerLines, Body body, Application<X> application)
            throws IOException, X {
        if (!"POST".equals(method)) {
            return Optional.of(text(405, "POST only", Map.of("Allow", "POST")));
        }
        Verified verified;
        Outcome outcome;
        try {
            byte[] bytes = readAtMost(verifier.maxBodyBytes(), body);
            verified = verifier.verify(bytes, headerLines);
            Event event = Event.parse(bytes);
            Verified proof = verified;
            outcome = runOnce(event.id(), bytes, () -> application.process(event, proof, bytes));
        } catch (WebhookException error) {
            onError.accept(error);
            return Optional.of(refusal(error.status()));
        }
        Map<String, String> proof = Map.of(verifier.verifiedHeaderName(), verified.parts());
        return switch (outcome) {
            case PROCESSED -> Optional.empty();
            case DUPLICATE -> Optional.of(text(200, "ok", proof));
            case IN_PROGRESS -> Optional.of(
                    text(409, "in progress", Map.of(verifier.verifiedHeaderName(), verified.parts(), "Retry-After", "5")));
        };
    }

    private static byte[] readAtMost(int bytesMax, Body body) throws IOException {
        byte[] bytes = body.read(bytesMax + 1);
        if (bytes != null && bytes.length > bytesMax) {
            throw new PayloadException(ErrorCode.PAYLOAD_TOO_LARGE);
        }
        return bytes;
    }

    private <X extends Exception> Outcome runOnce(String id, byte[] body, Deduplicator.Task<Integer, X> task) throws X {
        Deduplicator.Task<Integer, X> checked = () -> {
            int status = task.run();
            if (status / 100 != 2) {
                throw new NotProcessed();
            }
            return status;
        };
        try {
            if (deduplicator == null) {
                checked.run();
                return Outcome.PROCESSED;
            }
            Processed<Integer> processed = deduplicator.processOnce(id, body, checked);
            return processed.outcome();
        } catch (NotProcessed own) {
            // The application has answered. The deduplicator has released the id because of this exception.
            return Outcome.PROCESSED;
        }
    }

    private static final class NotProcessed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static Answer refusal(int status) {
        String line = status == 401 ? "invalid signature" : status < 500 ? "invalid payload" : "not processed";
        return text(status, line, Map.of());
    }

    private static Answer text(int status, String line, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(CONTENT_TYPE, "text/plain");
        return new Answer(status, Map.copyOf(all), line + "\n");
    }
}
