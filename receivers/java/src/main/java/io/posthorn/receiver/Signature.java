package io.posthorn.receiver;

import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** Signs like the service, so that no test has to turn off verification. */
public final class Signature {
    private Signature() {
    }

    /**
     * The value of {@code X-Service-Signature}, signed now.
     *
     * @param body the bytes to send
     * @param secrets the primary secret first, which signs as {@code v1}, then staged ones ({@code v1s}, {@code v1s2})
     * @return the header
     * @throws UsageException if a secret cannot be one
     */
    public static String sign(byte[] body, String... secrets) {
        return sign(body, secrets == null ? List.of() : Arrays.asList(secrets), System.currentTimeMillis() / 1000);
    }

    /**
     * The value of {@code X-Service-Signature}, signed at a time of your choice.
     *
     * @param body the bytes to send
     * @param secrets the primary secret first, which signs as {@code v1}, then staged ones ({@code v1s}, {@code v1s2})
     * @param timestamp Unix seconds
     * @return the header
     * @throws UsageException if a secret cannot be one
     */
    public static String sign(byte[] body, Collection<String> secrets, long timestamp) {
        StringBuilder header = new StringBuilder("t=").append(timestamp);
        int index = 0;
        for (String secret : Secrets.check(secrets)) {
            byte[] mac = new Hmac(secret).of(Long.toString(timestamp), body);
            header.append(",v1").append(index > 0 ? "s" : "").append(index > 1 ? index : "");
            header.append('=').append(HexFormat.of().formatHex(mac));
            index++;
        }
        return header.toString();
    }
}
