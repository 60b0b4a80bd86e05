package io.posthorn.receiver;

import java.util.Map;

/**
 * A confirmed permanent failure of the recipient's address.
 *
 * @param recipient the address
 * @param bounce what is wrong with it
 * @param smtpResponse the reply of the server, or null
 * @param remoteMta the server, or null
 * @param reportingMta the server that reported the bounce, or null
 * @param attempts how often the service tried, or null
 * @param decidedBy one sentence that says what decided this; null if the reporter decided
 * @param fields everything in {@code data}
 */
public record EmailBounced(
        String recipient,
        Bounce bounce,
        SmtpResponse smtpResponse,
        RemoteMta remoteMta,
        String reportingMta,
        Integer attempts,
        String decidedBy,
        Map<String, Object> fields)
        implements EmailData {
    /**
     * What is wrong with an address. New categories and kinds of evidence may come.
     *
     * @param type {@code permanent}
     * @param category for example {@code invalid_recipient} or {@code mailbox_disabled}
     * @param message the reason in words
     * @param timing {@code synchronous} or {@code asynchronous}
     * @param evidence for example {@code enhanced_status_code}
     * @param finalRecipient the address after forwarding, or null
     */
    public record Bounce(
            String type, String category, String message, String timing, String evidence, String finalRecipient) {
    }

    static EmailBounced from(Fields data) {
        Fields bounce = data.object("bounce");
        return new EmailBounced(
                data.text("recipient"),
                new Bounce(
                        bounce.text("type"),
                        bounce.text("category"),
                        bounce.text("message"),
                        bounce.text("timing"),
                        bounce.text("evidence"),
                        bounce.text("final_recipient")),
                SmtpResponse.in(data),
                RemoteMta.in(data),
                data.text("reporting_mta"),
                data.integer("attempts"),
                data.text("decided_by"),
                data.map());
    }
}
