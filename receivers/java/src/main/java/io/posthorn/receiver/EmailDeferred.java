package io.posthorn.receiver;

import java.util.Map;

/**
 * The recipient's first deferral: the mail server tries again. Only endpoints that name the type get it.
 *
 * @param recipient the address
 * @param deferral why the email was not delivered yet
 * @param smtpResponse the reply of the server, or null
 * @param remoteMta the server, or null
 * @param reportingMta the server that reported the deferral, or null
 * @param attempts how often the mail server tried, or null
 * @param fields everything in {@code data}
 */
public record EmailDeferred(
        String recipient,
        Deferral deferral,
        SmtpResponse smtpResponse,
        RemoteMta remoteMta,
        String reportingMta,
        Integer attempts,
        Map<String, Object> fields)
        implements EmailData {
    /**
     * Why the email was not delivered yet. New reasons may come: treat an unknown one like its category.
     *
     * @param category {@code infrastructure}, {@code policy} or {@code signing}
     * @param reason for example {@code mailbox_full}
     * @param message the reason in words
     */
    public record Deferral(String category, String reason, String message) {
    }

    static EmailDeferred from(Fields data) {
        Fields deferral = data.object("deferral");
        return new EmailDeferred(
                data.text("recipient"),
                new Deferral(deferral.text("category"), deferral.text("reason"), deferral.text("message")),
                SmtpResponse.in(data),
                RemoteMta.in(data),
                data.text("reporting_mta"),
                data.integer("attempts"),
                data.map());
    }
}
