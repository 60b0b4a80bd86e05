package io.posthorn.receiver;

import java.util.Locale;

/** The codes of all errors in this library: the same closed list as in Posthorn's other libraries. */
public enum ErrorCode {
    /** The request has no signature header. */
    HEADER_MISSING("The request has no signature header. Check that it comes from Posthorn and that no proxy removes it."),
    /** The signature header cannot be read. */
    HEADER_MALFORMED("The signature header is longer than 4,096 bytes, is not ASCII, or has more than one t."),
    /** The request has the signature header more than once. */
    HEADER_AMBIGUOUS("The request has the signature header more than once."),
    /** The signature header has no {@code t}. */
    TIMESTAMP_MISSING("The signature header has no t."),
    /** {@code t} is not a number. */
    TIMESTAMP_MALFORMED("t in the signature header is not a number of 1 to 15 digits."),
    /** The signature header has no signature. */
    SIGNATURE_MISSING("The signature header has no v1, v1s or v1s2 with 64 hexadecimal characters."),
    /** No signature matches. */
    SIGNATURE_MISMATCH("No signature matches. Either the secret is the wrong one, or the body is not the bytes that"
            + " arrived: do not decode, trim, convert or serialize it again. getBytes() of a String is already too late."),
    /** The request was signed too long ago. */
    TIMESTAMP_TOO_OLD("The request was signed too long ago. If every request fails like this, check the clock of this"
            + " machine."),
    /** The request was signed in the future. */
    TIMESTAMP_IN_FUTURE("The request was signed in the future. If every request fails like this, check the clock of"
            + " this machine."),
    /** The body is larger than the limit. */
    PAYLOAD_TOO_LARGE("The body is larger than maxBodyBytes."),
    /** The body is signed but not JSON. */
    PAYLOAD_NOT_JSON("The signature is right, but the body is not JSON."),
    /** The body is signed but not an event. */
    PAYLOAD_NOT_EVENT("The signature is right, but the body has no id, no type, or data that is not an object."),
    /** The event arrived before with another body. */
    EVENT_CHANGED("This event arrived before with another body. The first body counts."),
    /** There is no secret. */
    SECRET_MISSING("There is no secret. Pass the secret of the endpoint (whsec_…). If it comes from an environment"
            + " variable: is the variable set?"),
    /** A secret is empty. */
    SECRET_EMPTY("A secret is empty, so anybody could sign with it. Is the environment variable set?"),
    /** A secret contains white space. */
    SECRET_WHITESPACE("A secret contains a space or a line break. A file often ends with one: remove it with strip()."
            + " Use the whole secret (whsec_…), without quotes or a name."),
    /** A secret is too short. */
    SECRET_TOO_SHORT("A secret is too short. secret_prefix is only its beginning. Use the whole secret (whsec_…), without"
            + " quotes or a name."),
    /** A secret is another kind of credential. */
    SECRET_WRONG_KIND("This is not the secret of an endpoint. Use the whole secret (whsec_…), without quotes or a name."),
    /** There are more than ten secrets. */
    SECRETS_TOO_MANY("There are more than ten secrets."),
    /** The tolerance is negative. */
    TOLERANCE_INVALID("toleranceSeconds must be 0 or more. 0 turns the time check off."),
    /** An option has a value that cannot work. */
    OPTION_INVALID("An option has a value that cannot work."),
    /** There is no body. */
    BODY_MISSING("There is no body. Pass the raw body as bytes, for example request.getInputStream().readAllBytes()."),
    /** The body was parsed before. This library never uses the code, because the compiler accepts only bytes. */
    BODY_ALREADY_PARSED("The body was already parsed, and serializing it again does not restore the signed bytes. Pass the"
            + " raw body as bytes."),
    /** Something read the body before. */
    BODY_ALREADY_CONSUMED("Something read the body before and did not keep it. Verify the raw body first: put the filter"
            + " before every filter that reads the body or calls getParameter, getReader or getInputStream."),
    /** The JDK has no HMAC-SHA256. */
    CRYPTO_UNAVAILABLE("This JDK has no HMAC-SHA256, which every Java platform must have. Check the security providers."),
    /** The store of processed events failed. */
    STORE_UNAVAILABLE("The store of processed events failed. Events may be processed again.");

    private final String code = name().toLowerCase(Locale.ROOT);
    private final String words;

    ErrorCode(String words) {
        this.words = words;
    }

    /** {@return the code as all of Posthorn's libraries write it, for example {@code header_missing}} */
    public String code() {
        return code;
    }

    /** {@return what is wrong and what to do, for your log} Never put it into a response. */
    public String inWords() {
        return words;
    }
}
