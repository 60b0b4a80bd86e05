package io.posthorn.receiver;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads members of a JSON object as types. A member that is missing or has another type is null, because the signature
 * already proves that Posthorn created the event, and a receiver must not fail when the service adds or omits something.
 */
record Fields(Map<String, Object> map) {
    String text(String name) {
        return map.get(name) instanceof String text ? text : null;
    }

    Instant time(String name) {
        try {
            return text(name) == null ? null : Instant.parse(text(name));
        } catch (DateTimeException error) {
            return null;
        }
    }

    Integer integer(String name) {
        return map.get(name) instanceof Long number && number.intValue() == number ? number.intValue() : null;
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(map.get(name));
    }

    List<String> texts(String name) {
        if (!(map.get(name) instanceof List<?> list)) {
            return List.of();
        }
        return list.stream().filter(String.class::isInstance).map(String.class::cast).toList();
    }

    /** Members of the object that are text. */
    Map<String, String> textsByName(String name) {
        return object(name).map().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof String)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> (String) entry.getValue()));
    }

    boolean has(String name) {
        return map.get(name) != null;
    }

    /** An object, empty if it is missing. */
    Fields object(String name) {
        return map.get(name) instanceof Map<?, ?> object ? new Fields(asObject(object)) : new Fields(Map.of());
    }

    /** Safe, because all keys of a JSON object are text. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> asObject(Map<?, ?> object) {
        return (Map<String, Object>) object;
    }
}
