package io.posthorn.receiver;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Refuses secrets that can only be a mistake. An empty secret is the worst, because anyone can sign with it. */
final class Secrets {
    private static final int COUNT_MAX = 10;
    // `secret_prefix` from the API has 10 characters and must not pass as a secret.
    private static final int CHARACTERS_MIN = 24;
    // JavaScript's white space, so that every library refuses the same secrets with the same code.
    private static final Pattern WHITE_SPACE = Pattern.compile(
            "[\\s\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF]");
    // Text before `whsec_`, a character that no secret has, another credential, an id, or a missing prefix.
    private static final Pattern WRONG_KIND = Pattern.compile(".whsec_|[^\\w+/=-]|^(ph[ak]|whk?)_|^[^_]{43,44}$");

    private Secrets() {
    }

    static List<String> check(Collection<String> secrets) {
        if (secrets == null || secrets.isEmpty()) {
            throw new UsageException(ErrorCode.SECRET_MISSING);
        }
        if (secrets.size() > COUNT_MAX) {
            throw new UsageException(ErrorCode.SECRETS_TOO_MANY);
        }
        for (String secret : secrets) {
            if ("".equals(secret) || "whsec_".equals(secret)) {
                throw new UsageException(ErrorCode.SECRET_EMPTY);
            }
        }
        secrets.forEach(Secrets::checkOne);
        return List.copyOf(secrets);
    }

    private static void checkOne(String secret) {
        if (secret == null) {
            throw new UsageException(ErrorCode.SECRET_MISSING);
        }
        if (WHITE_SPACE.matcher(secret).find()) {
            throw new UsageException(ErrorCode.SECRET_WHITESPACE);
        }
        if (WRONG_KIND.matcher(secret).find()) {
            throw new UsageException(ErrorCode.SECRET_WRONG_KIND);
        }
        if (secret.length() < CHARACTERS_MIN) {
            throw new UsageException(ErrorCode.SECRET_TOO_SHORT);
        }
    }
}
