package io.posthorn.receiver;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 with one secret. Safe for use by several threads. */
final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    Hmac(String secret) {
        key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
        fresh();
    }

    /** The HMAC of {@code <timestamp>.<body>}, without copying the body. */
    byte[] of(String timestamp, byte[] body) {
        if (body == null) {
            throw new UsageException(ErrorCode.BODY_MISSING);
        }
        Mac mac = fresh();
        mac.update(timestamp.getBytes(StandardCharsets.US_ASCII));
        mac.update((byte) '.');
        return mac.doFinal(body);
    }

    private Mac fresh() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException error) {
            throw new UsageException(ErrorCode.CRYPTO_UNAVAILABLE, error.getClass().getSimpleName());
        }
    }
}
