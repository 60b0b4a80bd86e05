package io.posthorn.receiver;

/** A mistake in your program or its configuration. Answer 500 and log it. */
public final class UsageException extends WebhookException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param code what is wrong
     */
    public UsageException(ErrorCode code) {
        this(code, null);
    }

    /**
     * Creates the error with a detail.
     *
     * @param code what is wrong
     * @param detail more words for the log, without secrets and personal data
     */
    public UsageException(ErrorCode code, String detail) {
        super(code, detail, null);
    }

    @Override
    public int status() {
        return 500;
    }
}
