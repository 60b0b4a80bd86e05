package io.posthorn.receiver;

/**
 * The mail server of the recipient.
 *
 * @param name its host name
 * @param ip its address, or null
 */
public record RemoteMta(String name, String ip) {
    static RemoteMta in(Fields data) {
        if (!data.has("remote_mta")) {
            return null;
        }
        Fields mta = data.object("remote_mta");
        return new RemoteMta(mta.text("name"), mta.text("ip"));
    }
}
