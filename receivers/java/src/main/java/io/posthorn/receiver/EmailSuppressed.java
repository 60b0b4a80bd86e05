package io.posthorn.receiver;

import java.util.Map;

/**
 * The email was not sent, because the address is suppressed. Only endpoints that name the type get it.
 *
 * @param suppression why the address is suppressed, or null
 * @param fields everything in {@code data}
 */
public record EmailSuppressed(EmailFailed.Suppression suppression, Map<String, Object> fields) implements EmailData {
    static EmailSuppressed from(Fields data) {
        Fields suppression = data.object("suppression");
        return new EmailSuppressed(
                data.has("suppression")
                        ? new EmailFailed.Suppression(suppression.text("reason"), suppression.time("since"))
                        : null,
                data.map());
    }
}
