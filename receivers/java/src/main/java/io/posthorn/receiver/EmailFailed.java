package io.posthorn.receiver;

import java.time.Instant;
import java.util.Map;

/**
 * The email did not arrive because of an infrastructure, policy or signing failure.
 *
 * @param scope {@code recipient} or {@code message}
 * @param failure what failed
 * @param smtpResponse the reply of the server, or null
 * @param remoteMta the server, or null
 * @param reportingMta the server that reported the failure, or null
 * @param attempts how often the service tried, or null
 * @param decidedBy one sentence that says what decided this; null if the reporter decided
 * @param fields everything in {@code data}
 */
public record EmailFailed(
        String scope,
        Failure failure,
        SmtpResponse smtpResponse,
        RemoteMta remoteMta,
        String reportingMta,
        Integer attempts,
        String decidedBy,
        Map<String, Object> fields)
        implements EmailData {
    /**
     * What failed. New reasons may come: treat an unknown one like its category.
     *
     * @param category {@code infrastructure}, {@code policy} or {@code signing}
     * @param reason for example {@code authentication_failed}
     * @param stage where it failed, or null
     * @param message the reason in words
     * @param retryable whether sending again may help
     * @param expired whether the service gave up after retrying
     * @param blocklist the list that names the sender, or null
     * @param finalRecipient the address after forwarding, or null
     * @param suppression why the service did not send to this address, or null
     */
    public record Failure(
            String category,
            String reason,
            String stage,
            String message,
            boolean retryable,
            boolean expired,
            String blocklist,
            String finalRecipient,
            Suppression suppression) {
    }

    /**
     * Why the service does not send to an address.
     *
     * @param reason for example {@code bounced} or {@code complaint}
     * @param since when that happened
     */
    public record Suppression(String reason, Instant since) {
    }

    static EmailFailed from(Fields data) {
        Fields failure = data.object("failure");
        Fields suppression = failure.object("suppression");
        return new EmailFailed(
                data.text("scope"),
                new Failure(
                        failure.text("category"),
                        failure.text("reason"),
                        failure.text("stage"),
                        failure.text("message"),
                        failure.flag("retryable"),
                        failure.flag("expired"),
                        failure.text("blocklist"),
                        failure.text("final_recipient"),
                        failure.has("suppression")
                                ? new Suppression(suppression.text("reason"), suppression.time("since"))
                                : null),
                SmtpResponse.in(data),
                RemoteMta.in(data),
                data.text("reporting_mta"),
                data.integer("attempts"),
                data.text("decided_by"),
                data.map());
    }
}
