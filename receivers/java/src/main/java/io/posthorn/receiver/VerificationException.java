package io.posthorn.receiver;

/** The request may not come from Posthorn. Answer 401 and do not process it. */
public final class VerificationException extends WebhookException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param code what is wrong
     */
    public VerificationException(ErrorCode code) {
        this(code, null);
    }

    /**
     * Creates the error with a detail.
     *
     * @param code what is wrong
     * @param detail more words for the log, without secrets and personal data
     */
    public VerificationException(ErrorCode code, String detail) {
        super(code, detail, null);
    }

    @Override
    public int status() {
        return 401;
    }
}
