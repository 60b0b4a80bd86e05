package io.posthorn.receiver.served;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

/** A filter that reads the body too early, if the header {@code X-Reads-First} says so. */
final class ReadsFirst {
    static final Filter FILTER = (request, response, chain) -> {
        String how = ((HttpServletRequest) request).getHeader("X-Reads-First");
        if ("stream".equals(how)) {
            request.getInputStream().readAllBytes();
        } else if ("some".equals(how)) {
            request.getInputStream().read();
        } else if ("reader".equals(how)) {
            request.getReader().read();
        }
        chain.doFilter(request, response);
    };

    private ReadsFirst() {
    }
}
