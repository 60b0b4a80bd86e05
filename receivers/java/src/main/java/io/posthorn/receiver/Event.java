package io.posthorn.receiver;

import java.time.Instant;
import java.util.Map;

/**
 * The body of a webhook. The type of {@code data} says what happened:
 *
 * <pre>{@code
 * if (event.data() instanceof EmailBounced bounced) suppress(bounced.recipient());
 * }</pre>
 *
 * @param id unique; stays the same when the event is delivered again
 * @param type for example {@code email.bounced}; may be unknown to this version
 * @param createdAt when Posthorn created the event, or null
 * @param data what happened; {@link UnknownData} if this version does not know the type
 */
public record Event(String id, String type, Instant createdAt, EventData data) {
    // Limited because ids become keys in stores and types become labels.
    private static final int NAME_CHARACTERS_MAX = 255;

    /**
     * Parses verified bytes. The last of duplicate keys wins.
     *
     * @param body the bytes as they arrived
     * @return the event
     * @throws PayloadException if the body is not an event
     */
    public static Event parse(byte[] body) {
        Object value;
        try {
            value = Json.parse(body);
        } catch (Json.SyntaxException error) {
            throw new PayloadException(ErrorCode.PAYLOAD_NOT_JSON);
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new PayloadException(ErrorCode.PAYLOAD_NOT_EVENT);
        }
        Fields fields = new Fields(Fields.asObject(map));
        String id = fields.text("id");
        String type = fields.text("type");
        if (!isName(id) || !isName(type) || map.containsKey("data") && !(map.get("data") instanceof Map)) {
            throw new PayloadException(ErrorCode.PAYLOAD_NOT_EVENT);
        }
        return new Event(id, type, fields.time("created_at"), EventData.of(type, fields.object("data").map()));
    }

    private static boolean isName(String text) {
        return text != null && !text.isEmpty() && text.length() <= NAME_CHARACTERS_MAX;
    }
}
