package io.posthorn.receiver;

import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Verifies that webhooks come from Posthorn and were not changed on the way. Safe for use by several threads.
 *
 * <p>There is no method that takes the body as a {@code String}, on purpose: decoding and encoding again can change the
 * bytes that were signed. Pass what arrived.
 *
 * <pre>{@code
 * Verifier verifier = Verifier.of(newSecret, oldSecret);
 * Event event = verifier.constructEvent(request.getInputStream().readAllBytes(), request.getHeader("X-Service-Signature"));
 * }</pre>
 */
public final class Verifier {
    private static final long LOOKS_LIKE_MILLISECONDS = 100_000_000_000L;

    private final List<Hmac> hmacs;
    private final long toleranceSeconds;
    private final String headerName;
    private final int maxBodyBytes;
    private final InstantSource clock;

    private Verifier(Builder options) {
        hmacs = Secrets.check(options.secrets).stream().map(Hmac::new).toList();
        if (options.toleranceSeconds < 0) {
            throw new UsageException(ErrorCode.TOLERANCE_INVALID);
        }
        if (options.headerName == null || !Builder.HEADER_NAME.matcher(options.headerName).matches()) {
            throw new UsageException(ErrorCode.OPTION_INVALID, "headerName");
        }
        if (options.maxBodyBytes < 1 || options.maxBodyBytes == Integer.MAX_VALUE) {
            throw new UsageException(ErrorCode.OPTION_INVALID, "maxBodyBytes");
        }
        if (options.clock == null) {
            throw new UsageException(ErrorCode.OPTION_INVALID, "clock");
        }
        toleranceSeconds = options.toleranceSeconds;
        headerName = options.headerName;
        maxBodyBytes = options.maxBodyBytes;
        clock = options.clock;
    }

    /**
     * A verifier with the usual options. It checks the secrets at once, so a wrong one fails at startup and not at the first
     * delivery.
     *
     * @param secrets the secrets of the endpoint, newest first: usually one, and up to ten
     * @return the verifier
     * @throws UsageException if a secret cannot be one
     */
    public static Verifier of(String... secrets) {
        return builder().secrets(secrets == null ? List.of() : Arrays.asList(secrets)).build();
    }

    /** {@return a builder of a verifier with other options} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Checks the signature and then the timestamp.
     *
     * @param body the bytes as they arrived
     * @param header the value of the signature header, or null if there is none
     * @return which secrets and parts matched
     * @throws VerificationException if the request may not come from Posthorn
     * @throws UsageException if there is no body
     */
    public Verified verify(byte[] body, String header) {
        SignatureHeader parsed = SignatureHeader.parse(header == null ? "" : header, headerName);
        List<Verified.Match> matches = match(parsed, body);
        Verified.Match first = matches.stream().min(Comparator.comparingInt(Verified.Match::secretIndex))
                .orElseThrow(() -> new VerificationException(ErrorCode.SIGNATURE_MISMATCH));
        // Checked last: a timestamp error proves that the secret is right, and forged requests learn nothing of the clock.
        long timestamp = Long.parseLong(parsed.timestampText());
        checkFreshness(timestamp);
        return new Verified(timestamp, first.secretIndex(), first.partName(), matches);
    }

    /**
     * Checks the signature and then the timestamp.
     *
     * @param body the bytes as they arrived
     * @param headerLines every line of the signature header; more than one is refused
     * @return which secrets and parts matched
     * @throws VerificationException if the request may not come from Posthorn
     * @throws UsageException if there is no body
     */
    public Verified verify(byte[] body, Collection<String> headerLines) {
        return verify(body, onlyLine(headerLines));
    }

    /**
     * Checks the signature and then the timestamp.
     *
     * @param body the bytes as they arrived
     * @param headers all headers by name in any case, for example of {@code com.sun.net.httpserver.HttpExchange}
     * @return which secrets and parts matched
     * @throws VerificationException if the request may not come from Posthorn
     * @throws UsageException if there is no body
     */
    public Verified verify(byte[] body, Map<String, ? extends Collection<String>> headers) {
        return verify(body, linesIn(headers));
    }

    /**
     * Verifies and then parses. The type of the event may be unknown to this version: then its data is {@link UnknownData}.
     *
     * @param body the bytes as they arrived
     * @param header the value of the signature header, or null if there is none
     * @return the event
     * @throws VerificationException if the request may not come from Posthorn
     * @throws PayloadException if the body is not an event
     * @throws UsageException if there is no body
     */
    public Event constructEvent(byte[] body, String header) {
        verify(body, header);
        return Event.parse(body);
    }

    /**
     * Verifies and then parses, like {@link #constructEvent(byte[], String)}.
     *
     * @param body the bytes as they arrived
     * @param headers all headers by name in any case
     * @return the event
     * @throws VerificationException if the request may not come from Posthorn
     * @throws PayloadException if the body is not an event
     * @throws UsageException if there is no body
     */
    public Event constructEvent(byte[] body, Map<String, ? extends Collection<String>> headers) {
        verify(body, headers);
        return Event.parse(body);
    }

    /** {@return the name of the signature header} */
    public String headerName() {
        return headerName;
    }

    /** {@return the name of the answer header that shows which secrets a receiver has} */
    public String verifiedHeaderName() {
        String ending = "-signature";
        int at = headerName.length() - ending.length();
        boolean hasPrefix = at > 0 && headerName.regionMatches(true, at, ending, 0, ending.length());
        return hasPrefix ? headerName.substring(0, at) + "-Verified" : Verified.HEADER;
    }

    /** {@return the largest body that adapters read, in bytes} */
    public int maxBodyBytes() {
        return maxBodyBytes;
    }

    /** {@return a description without the secrets} */
    @Override
    public String toString() {
        return "Verifier[secrets=" + hmacs.size() + ", headerName=" + headerName + "]";
    }

    private List<String> linesIn(Map<String, ? extends Collection<String>> headers) {
        if (headers == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        // Two spellings of the same name count as two headers, because choosing one would be ambiguous.
        headers.forEach((name, values) -> {
            if (headerName.equalsIgnoreCase(name)) {
                lines.addAll(values);
            }
        });
        return lines;
    }

    private static String onlyLine(Collection<String> lines) {
        if (lines == null || lines.isEmpty()) {
            return null;
        }
        if (lines.size() > 1) {
            throw new VerificationException(ErrorCode.HEADER_AMBIGUOUS);
        }
        return lines.iterator().next();
    }

    /** Compares every signature with every secret in constant time, without stopping at a match. */
    private List<Verified.Match> match(SignatureHeader header, byte[] body) {
        List<byte[]> macs = hmacs.stream().map(hmac -> hmac.of(header.timestampText(), body)).toList();
        List<Verified.Match> matches = new ArrayList<>();
        for (SignatureHeader.Part signature : header.signatures()) {
            for (int index = 0; index < macs.size(); index++) {
                if (MessageDigest.isEqual(macs.get(index), signature.value())) {
                    matches.add(new Verified.Match(signature.name(), index));
                }
            }
        }
        return List.copyOf(matches);
    }

    private void checkFreshness(long timestamp) {
        if (toleranceSeconds == 0) {
            return;
        }
        long ageSeconds = clock.instant().getEpochSecond() - timestamp;
        if (Math.abs(ageSeconds) <= toleranceSeconds) {
            return;
        }
        throw new VerificationException(
                ageSeconds > 0 ? ErrorCode.TIMESTAMP_TOO_OLD : ErrorCode.TIMESTAMP_IN_FUTURE,
                "t is " + ageSeconds + " s behind the clock"
                        + (timestamp > LOOKS_LIKE_MILLISECONDS ? "; it looks like milliseconds" : ""));
    }

    /** The options of a verifier. Only the secrets are required. */
    public static final class Builder {
        private static final Pattern HEADER_NAME = Pattern.compile("[\\w-]+");

        private Collection<String> secrets = Collections.emptyList();
        private long toleranceSeconds = 300;
        private String headerName = "X-Service-Signature";
        private int maxBodyBytes = 1_048_576;
        private InstantSource clock = InstantSource.system();

        private Builder() {
        }

        /**
         * The secrets of the endpoint.
         *
         * @param secrets newest first: usually one, and up to ten during a rotation
         * @return this builder
         */
        public Builder secrets(Collection<String> secrets) {
            this.secrets = secrets;
            return this;
        }

        /**
         * How far {@code t} may be from the clock.
         *
         * @param toleranceSeconds default 300; 0 turns the check off, for tests or after a long outage
         * @return this builder
         */
        public Builder toleranceSeconds(long toleranceSeconds) {
            this.toleranceSeconds = toleranceSeconds;
            return this;
        }

        /**
         * The name of the signature header.
         *
         * @param headerName default {@code X-Service-Signature}; with {@code X-Acme-Signature}, receivers answer with
         *     {@code X-Acme-Verified}
         * @return this builder
         */
        public Builder headerName(String headerName) {
            this.headerName = headerName;
            return this;
        }

        /**
         * The largest body that adapters read.
         *
         * @param maxBodyBytes in bytes, default 1 MiB
         * @return this builder
         */
        public Builder maxBodyBytes(int maxBodyBytes) {
            this.maxBodyBytes = maxBodyBytes;
            return this;
        }

        /**
         * The clock.
         *
         * @param clock default the system's
         * @return this builder
         */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Checks the options.
         *
         * @return the verifier
         * @throws UsageException if an option cannot work
         */
        public Verifier build() {
            return new Verifier(this);
        }
    }
}
