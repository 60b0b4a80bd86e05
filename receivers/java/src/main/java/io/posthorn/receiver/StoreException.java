package io.posthorn.receiver;

/** The dedupe store failed. Answer 503, so that Posthorn sends the event again. */
public final class StoreException extends WebhookException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param cause what the store threw
     */
    public StoreException(Throwable cause) {
        this(null, cause);
    }

    /**
     * Creates the error.
     *
     * @param detail what is known of this case, or null
     * @param cause what the store threw
     */
    public StoreException(String detail, Throwable cause) {
        super(ErrorCode.STORE_UNAVAILABLE, detail, cause);
    }

    @Override
    public int status() {
        return 503;
    }
}
