package io.posthorn.receiver;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** The parsed signature header, before verification. {@code timestampText} is {@code t} as received, because it is signed. */
record SignatureHeader(String timestampText, List<Part> signatures) {
    private static final int CHARACTERS_MAX = 4096;
    private static final int HEX_CHARACTERS = 64;
    private static final Pattern SIGNATURE_NAME = Pattern.compile("v1(s[0-9]*)?");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,15}");

    /** A signature of 32 bytes. */
    record Part(String name, byte[] value) {
    }

    /**
     * Parses {@code t=<unix-seconds>,v1=<hex>,v1s=<hex>…}. It ignores parts with other names and signatures that are not 64
     * hexadecimal characters, so that the service can extend the header later.
     *
     * @param headerName the name, for the error
     */
    static SignatureHeader parse(String line, String headerName) {
        if (line.chars().allMatch(c -> c == ' ' || c == '\t')) {
            throw new VerificationException(ErrorCode.HEADER_MISSING, "expected " + headerName);
        }
        if (line.length() > CHARACTERS_MAX || !line.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~')) {
            throw new VerificationException(ErrorCode.HEADER_MALFORMED, "too long or not ASCII");
        }
        String timestamp = null;
        List<Part> signatures = new ArrayList<>();
        for (String piece : line.split(",")) {
            String part = piece.strip();
            int equals = part.indexOf('=');
            if (equals < 0) {
                continue;
            }
            String name = part.substring(0, equals);
            String value = part.substring(equals + 1);
            if (name.equals("t")) {
                if (timestamp != null) {
                    throw new VerificationException(ErrorCode.HEADER_MALFORMED, "duplicate t");
                }
                timestamp = value;
            } else if (SIGNATURE_NAME.matcher(name).matches() && isHex(value)) {
                signatures.add(new Part(name, HexFormat.of().parseHex(value)));
            }
        }
        if (timestamp == null) {
            throw new VerificationException(ErrorCode.TIMESTAMP_MISSING);
        }
        if (!TIMESTAMP.matcher(timestamp).matches()) {
            throw new VerificationException(ErrorCode.TIMESTAMP_MALFORMED);
        }
        if (signatures.isEmpty()) {
            throw new VerificationException(ErrorCode.SIGNATURE_MISSING);
        }
        return new SignatureHeader(timestamp, signatures);
    }

    private static boolean isHex(String value) {
        return value.length() == HEX_CHARACTERS && value.chars().allMatch(HexFormat::isHexDigit);
    }
}
