package io.posthorn.receiver;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What the events about an email have in common. Optional values are null if Posthorn left them out. */
public sealed interface EmailData extends EventData
        permits EmailDelivered,
                EmailBounced,
                EmailFailed,
                EmailUnsubscribed,
                EmailComplained,
                EmailDeferred,
                EmailSuppressed {
    /** {@return the id of the email} */
    default String emailId() {
        return new Fields(fields()).text("email_id");
    }

    /** {@return the recipients, at least one} */
    default List<String> to() {
        return new Fields(fields()).texts("to");
    }

    /** {@return when the outcome happened} */
    default Instant occurredAt() {
        return new Fields(fields()).time("occurred_at");
    }

    /** {@return the {@code Message-ID}, or null} */
    default String messageId() {
        return new Fields(fields()).text("message_id");
    }

    /** {@return the sender, or null} */
    default String from() {
        return new Fields(fields()).text("from");
    }

    /** {@return the subject, or null} */
    default String subject() {
        return new Fields(fields()).text("subject");
    }

    /** {@return the tags of the email} */
    default Map<String, String> tags() {
        return new Fields(fields()).textsByName("tags");
    }

    /** {@return the metadata of the email: text, numbers, booleans and nulls} */
    default Map<String, Object> metadata() {
        return new Fields(fields()).object("metadata").map();
    }

    /** {@return when the email was sent, or null} */
    default Instant sentAt() {
        return new Fields(fields()).time("sent_at");
    }
}
