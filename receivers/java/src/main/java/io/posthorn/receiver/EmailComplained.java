package io.posthorn.receiver;

import java.util.Map;

/**
 * The recipient reported the email as spam. Only endpoints that name the type get it.
 *
 * @param recipient the address
 * @param complaint what the report says
 * @param fields everything in {@code data}
 */
public record EmailComplained(String recipient, Complaint complaint, Map<String, Object> fields)
        implements EmailData {
    /**
     * What the report says.
     *
     * @param feedbackType the kind of the complaint, or null
     * @param userAgent the mail provider that reported it, or null
     */
    public record Complaint(String feedbackType, String userAgent) {
    }

    static EmailComplained from(Fields data) {
        Fields complaint = data.object("complaint");
        return new EmailComplained(
                data.text("recipient"),
                new Complaint(complaint.text("feedback_type"), complaint.text("user_agent")),
                data.map());
    }
}
