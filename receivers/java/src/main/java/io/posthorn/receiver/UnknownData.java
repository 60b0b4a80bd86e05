package io.posthorn.receiver;

import java.util.Map;

/**
 * The data of a type that this version does not know. Answer 2xx all the same, or Posthorn sends the event again.
 *
 * @param fields everything in {@code data}
 */
public record UnknownData(Map<String, Object> fields) implements EventData {
}
