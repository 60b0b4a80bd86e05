package io.posthorn.receiver;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The result for a verified request.
 *
 * @param timestamp {@code t}, in Unix seconds
 * @param secretIndex the first configured secret that matched
 * @param partName the part that it matched: {@code v1}, {@code v1s}, {@code v1s2} and so on
 * @param matches every part that matched, in header order; several during a rotation
 */
public record Verified(long timestamp, int secretIndex, String partName, List<Match> matches) {
    /**
     * The answer header that shows which secrets a receiver has, unless {@link Verifier#verifiedHeaderName()} is another one.
     * Its value is {@link #parts()}.
     */
    public static final String HEADER = "X-Service-Verified";

    /**
     * A signature part that matches a configured secret.
     *
     * @param partName the name of the part
     * @param secretIndex the index of the secret
     */
    public record Match(String partName, int secretIndex) {
    }

    /** {@return the value of {@code X-Service-Verified}: the names of all parts that matched, in header order} */
    public String parts() {
        return matches.stream().map(Match::partName).distinct().collect(Collectors.joining(","));
    }
}
