package io.posthorn.receiver;

/** The body cannot be used. Answer 400, or 413 if it is too large. */
public final class PayloadException extends WebhookException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param code what is wrong
     */
    public PayloadException(ErrorCode code) {
        this(code, null);
    }

    /**
     * Creates the error with a detail.
     *
     * @param code what is wrong
     * @param detail more words for the log, without secrets and personal data
     */
    public PayloadException(ErrorCode code, String detail) {
        super(code, detail, null);
    }

    @Override
    public int status() {
        return code() == ErrorCode.PAYLOAD_TOO_LARGE ? 413 : 400;
    }
}
