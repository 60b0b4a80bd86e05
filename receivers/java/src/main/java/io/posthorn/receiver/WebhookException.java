package io.posthorn.receiver;

/** The base class of all errors in this library. Its message explains the code in words; write it only to your log. */
public abstract sealed class WebhookException extends RuntimeException
        permits VerificationException, PayloadException, UsageException, StoreException {
    private static final long serialVersionUID = 1L;

    /** Why the request or the program was refused. */
    private final ErrorCode code;

    WebhookException(ErrorCode code, String detail, Throwable cause) {
        super(code.code() + ": " + code.inWords() + (detail == null ? "" : " (" + detail + ")"), cause);
        this.code = code;
    }

    /** {@return the code, which other parts of your program can compare} */
    public ErrorCode code() {
        return code;
    }

    /** {@return the HTTP status to answer with} */
    public abstract int status();
}
