package io.posthorn.receiver;

import java.util.Map;

/**
 * A response, independent of any framework.
 *
 * @param status the HTTP status
 * @param headers its headers
 * @param body a line of ASCII text
 */
public record Answer(int status, Map<String, String> headers, String body) {
}
