package io.posthorn.receiver.spring;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code posthorn.receiver.*}.
 *
 * @param path the path that receives webhooks, such as {@code /hooks}; without it, nothing is configured
 * @param secrets the secrets of the endpoint, newest first
 * @param toleranceSeconds how far {@code t} may be from the clock; 0 turns the check off
 * @param headerName the name of the signature header
 * @param maxBodyBytes the largest body
 */
@ConfigurationProperties("posthorn.receiver")
public record PosthornProperties(
        String path,
        List<String> secrets,
        @DefaultValue("300") long toleranceSeconds,
        @DefaultValue("X-Service-Signature") String headerName,
        @DefaultValue("1048576") int maxBodyBytes) {
    /** {@return a description without the secrets} */
    @Override
    public String toString() {
        return "PosthornProperties[path=" + path + ", secrets=" + (secrets == null ? 0 : secrets.size()) + "]";
    }
}
