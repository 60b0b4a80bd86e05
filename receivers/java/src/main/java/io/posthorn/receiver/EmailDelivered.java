package io.posthorn.receiver;

import java.util.Map;

/**
 * The recipient's mail server accepted the email. A bounce may still follow.
 *
 * @param remoteMta the server, or null
 * @param smtpResponse its reply, or null
 * @param attempts how often the service tried, or null
 * @param tls how the connection was encrypted, or null
 * @param fields everything in {@code data}
 */
public record EmailDelivered(
        RemoteMta remoteMta, SmtpResponse smtpResponse, Integer attempts, Tls tls, Map<String, Object> fields)
        implements EmailData {
    /**
     * The encryption of a connection.
     *
     * @param version for example TLSv1.3
     * @param cipher the name of the cipher
     */
    public record Tls(String version, String cipher) {
    }

    static EmailDelivered from(Fields data) {
        Fields tls = data.object("tls");
        return new EmailDelivered(
                RemoteMta.in(data),
                SmtpResponse.in(data),
                data.integer("attempts"),
                data.has("tls") ? new Tls(tls.text("version"), tls.text("cipher")) : null,
                data.map());
    }
}
