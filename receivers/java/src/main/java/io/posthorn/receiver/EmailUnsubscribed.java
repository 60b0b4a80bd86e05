package io.posthorn.receiver;

import java.util.Map;

/**
 * The recipient unsubscribed or reported the email as spam.
 *
 * @param recipient the address
 * @param unsubscribe how, and from what
 * @param fields everything in {@code data}
 */
public record EmailUnsubscribed(String recipient, Unsubscribe unsubscribe, Map<String, Object> fields)
        implements EmailData {
    /**
     * How a recipient unsubscribed. New sources may come.
     *
     * @param source for example {@code one_click} or {@code complaint}
     * @param scope from what
     * @param feedbackType the kind of the complaint, or null
     * @param userAgent the program that the recipient used, or null
     */
    public record Unsubscribe(String source, Scope scope, String feedbackType, String userAgent) {
    }

    /**
     * What the recipient does not want any more.
     *
     * @param type {@code all}, {@code list} or {@code topic}
     * @param id the list or topic, or null
     */
    public record Scope(String type, String id) {
    }

    static EmailUnsubscribed from(Fields data) {
        Fields unsubscribe = data.object("unsubscribe");
        Fields scope = unsubscribe.object("scope");
        return new EmailUnsubscribed(
                data.text("recipient"),
                new Unsubscribe(
                        unsubscribe.text("source"),
                        new Scope(scope.text("type"), scope.text("id")),
                        unsubscribe.text("feedback_type"),
                        unsubscribe.text("user_agent")),
                data.map());
    }
}
