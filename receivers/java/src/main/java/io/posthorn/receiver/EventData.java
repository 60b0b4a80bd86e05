package io.posthorn.receiver;

import java.util.Map;

/** The data of an event: one record for each type that this version knows, and one for all others. */
public sealed interface EventData permits EmailData, UnknownData {
    /** {@return everything in {@code data}, also what this version does not know} */
    Map<String, Object> fields();

    /**
     * The data for a type.
     *
     * @param type for example {@code email.bounced}
     * @param fields everything in {@code data}
     * @return the record for the type, or {@link UnknownData}
     */
    static EventData of(String type, Map<String, Object> fields) {
        Fields data = new Fields(fields);
        return switch (type) {
            case "email.delivered" -> EmailDelivered.from(data);
            case "email.bounced" -> EmailBounced.from(data);
            case "email.failed" -> EmailFailed.from(data);
            case "email.unsubscribed" -> EmailUnsubscribed.from(data);
            case "email.complained" -> EmailComplained.from(data);
            case "email.deferred" -> EmailDeferred.from(data);
            case "email.suppressed" -> EmailSuppressed.from(data);
            default -> new UnknownData(fields);
        };
    }
}
