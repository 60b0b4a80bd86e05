package io.posthorn.receiver.served;

import io.posthorn.receiver.Event;
import io.posthorn.receiver.Receiver;
import java.io.IOException;
import java.util.function.Supplier;

/** A web server with an application at {@code /hooks}, behind one of the adapters. */
public interface Served {
    /** The port on loopback. */
    int port();

    /** Stops the server. */
    void close() throws Exception;

    /** Processes a verified event. */
    @FunctionalInterface
    interface Application {
        /** The body is what the application itself reads from the request. Returns the status of the response. */
        int process(Event event, byte[] body) throws IOException;
    }

    /** The servers by the name of their adapter. Port 0 is any free port. */
    static Served start(String adapter, int port, Supplier<Receiver> receivers, Application application) throws Exception {
        return switch (adapter) {
            case "Jakarta Servlet" -> new JettyServed(port, receivers, application);
            case "Spring Boot" -> new SpringServed(port, receivers, application);
            default -> throw new IllegalArgumentException(adapter);
        };
    }
}
