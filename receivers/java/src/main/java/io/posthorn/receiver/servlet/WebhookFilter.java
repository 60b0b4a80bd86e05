package io.posthorn.receiver.servlet;

import io.posthorn.receiver.Answer;
import io.posthorn.receiver.ErrorCode;
import io.posthorn.receiver.Event;
import io.posthorn.receiver.Receiver;
import io.posthorn.receiver.UsageException;
import io.posthorn.receiver.Verified;
import io.posthorn.receiver.Verifier;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets only verified events through to your servlet, which finds the event with {@link #event}. It can read the body again.
 *
 * <pre>{@code
 * @WebFilter("/hooks")
 * public class VerifyHooks extends WebhookFilter {
 *     public VerifyHooks() {
 *         super(Verifier.of(System.getenv("WEBHOOK_SECRET")));
 *     }
 * }
 * }</pre>
 *
 * <p>The event counts as processed if your servlet answers 2xx before it returns. So it must not answer asynchronously.
 */
public class WebhookFilter implements Filter {
    /** The attribute of the request that has the event. */
    public static final String EVENT = "io.posthorn.receiver.event";

    private final Supplier<Receiver> receivers;

    /**
     * A filter without a deduplicator.
     *
     * @param verifier verifies the requests
     */
    public WebhookFilter(Verifier verifier) {
        this(new Receiver(verifier));
    }

    /**
     * A filter.
     *
     * @param receiver answers the requests
     */
    public WebhookFilter(Receiver receiver) {
        this(() -> receiver);
    }

    /**
     * A filter whose receiver can change, for example when a secret does.
     *
     * @param receivers is asked for each request
     */
    public WebhookFilter(Supplier<Receiver> receivers) {
        this.receivers = receivers;
    }

    /**
     * The verified event of a request.
     *
     * @param request a request that passed this filter
     * @return its event
     * @throws UsageException if the request did not pass this filter
     */
    public static Event event(ServletRequest request) {
        if (request.getAttribute(EVENT) instanceof Event event) {
            return event;
        }
        throw new UsageException(ErrorCode.OPTION_INVALID, "the WebhookFilter is not mapped to this path");
    }

    @Override
    public final void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        HttpServletResponse response = (HttpServletResponse) anyResponse;
        Receiver receiver = receivers.get();
        List<String> lines = Collections.list(request.getHeaders(receiver.headerName()));
        try {
            Optional<Answer> answer = receiver.<Exception>receive(
                    request.getMethod(), lines, bytesMax -> read(request, bytesMax), (event, verified, body) -> {
                        request.setAttribute(EVENT, event);
                        response.setHeader(receiver.verifiedHeaderName(), verified.parts());
                        chain.doFilter(new VerifiedRequest(request, body), response);
                        return response.getStatus();
                    });
            if (answer.isPresent()) {
                send(answer.get(), response);
            }
        } catch (IOException | ServletException | RuntimeException error) {
            throw error;
        } catch (Exception error) {
            throw new ServletException(error);
        }
    }

    private static byte[] read(HttpServletRequest request, int bytesMax) throws IOException {
        byte[] body;
        try {
            body = request.getInputStream().readNBytes(bytesMax);
        } catch (IllegalStateException error) {
            // Something called getReader.
            throw new UsageException(ErrorCode.BODY_ALREADY_CONSUMED);
        }
        boolean isChunked = request.getHeader("Transfer-Encoding") != null;
        if (body.length < Math.min(request.getContentLengthLong(), bytesMax) || isChunked && body.length == 0) {
            throw new UsageException(ErrorCode.BODY_ALREADY_CONSUMED);
        }
        return body;
    }

    private static void send(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        response.getOutputStream().write(answer.body().getBytes(StandardCharsets.US_ASCII));
    }
}
