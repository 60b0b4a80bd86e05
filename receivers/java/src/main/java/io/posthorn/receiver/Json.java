package io.posthorn.receiver;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of JSON (RFC 8259), so that the library needs no other. Objects become maps, arrays become lists, numbers
 * become {@code Long} or {@code Double}. The last of duplicate keys wins.
 */
final class Json {
    private static final int DEPTH_MAX = 1000;
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    // Possessive, because a number may be as long as the body.
    private static final Pattern NUMBER = Pattern.compile(
            "-?(?:0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");
    private static final int LONG_CHARACTERS_MAX = 19;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** The error has no detail, because the body contains personal addresses. */
    static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    static Object parse(byte[] bytes) throws SyntaxException {
        Json json = new Json(decode(bytes));
        if (json.peek() == BYTE_ORDER_MARK) {
            json.at++;
        }
        Object value = json.value();
        json.skipSpace();
        if (json.at != json.text.length()) {
            throw new SyntaxException();
        }
        return value;
    }

    private static String decode(byte[] bytes) throws SyntaxException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new SyntaxException();
        }
    }

    private Object value() throws SyntaxException {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() throws SyntaxException {
        Map<String, Object> members = new LinkedHashMap<>();
        enter();
        if (!ends('}')) {
            do {
                skipSpace();
                String name = string();
                skipSpace();
                expect(':');
                members.put(name, value());
            } while (continues('}'));
        }
        return Collections.unmodifiableMap(members);
    }

    private List<Object> array() throws SyntaxException {
        List<Object> elements = new ArrayList<>();
        enter();
        if (!ends(']')) {
            do {
                elements.add(value());
            } while (continues(']'));
        }
        return Collections.unmodifiableList(elements);
    }

    /** Steps over the opening bracket. */
    private void enter() throws SyntaxException {
        at++;
        if (++depth > DEPTH_MAX) {
            throw new SyntaxException();
        }
    }

    private boolean ends(char bracket) {
        skipSpace();
        if (peek() != bracket) {
            return false;
        }
        at++;
        depth--;
        return true;
    }

    /** After a comma, another element follows. */
    private boolean continues(char bracket) throws SyntaxException {
        if (ends(bracket)) {
            return false;
        }
        expect(',');
        return true;
    }

    private String string() throws SyntaxException {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return read.toString();
            }
            if (c < ' ') {
                throw new SyntaxException();
            }
            read.append(c == '\\' ? escaped() : c);
        }
    }

    /** Half of a surrogate pair is allowed, as in JavaScript: a subject may have been cut there. */
    private char escaped() throws SyntaxException {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hexDigit() << 12 | hexDigit() << 8 | hexDigit() << 4 | hexDigit());
            default -> throw new SyntaxException();
        };
    }

    private int hexDigit() throws SyntaxException {
        char c = next();
        // Character.digit alone would accept the digits of other scripts.
        int digit = c < 128 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new SyntaxException();
        }
        return digit;
    }

    private Number number() throws SyntaxException {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw new SyntaxException();
        }
        at = matcher.end();
        String digits = matcher.group();
        boolean isWhole = matcher.group(1) == null && matcher.group(2) == null;
        if (isWhole && digits.length() < LONG_CHARACTERS_MAX) {
            return Long.valueOf(digits);
        }
        return Double.valueOf(digits);
    }

    private Object word(String word, Object value) throws SyntaxException {
        if (!text.startsWith(word, at)) {
            throw new SyntaxException();
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char c) throws SyntaxException {
        if (next() != c) {
            throw new SyntaxException();
        }
    }

    private char next() throws SyntaxException {
        if (at >= text.length()) {
            throw new SyntaxException();
        }
        return text.charAt(at++);
    }

    /** The next character, or NUL at the end, which no caller accepts. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }
}
