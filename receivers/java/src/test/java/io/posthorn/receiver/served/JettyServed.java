package io.posthorn.receiver.served;

import io.posthorn.receiver.Receiver;
import io.posthorn.receiver.servlet.WebhookFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet in Jetty. */
final class JettyServed implements Served {
    private final Server server;

    JettyServed(int port, Supplier<Receiver> receivers, Application application) throws Exception {
        server = new Server(new InetSocketAddress("127.0.0.1", port));
        ServletContextHandler context = new ServletContextHandler("/");
        add(context, ReadsFirst.FILTER);
        add(context, new WebhookFilter(receivers));
        ServletHolder servlet = new ServletHolder(new Hooks(application));
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/hooks");
        server.setHandler(context);
        server.start();
    }

    private static void add(ServletContextHandler context, Filter filter) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/hooks", EnumSet.of(DispatcherType.REQUEST));
    }

    @Override
    public int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    private static final class Hooks extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Application application;

        Hooks(Application application) {
            this.application = application;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getHeader("X-Async") != null) {
                request.startAsync();
            }
            StringBuilder body = new StringBuilder();
            request.getReader().lines().forEach(body::append);
            byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
            response.setStatus(application.process(WebhookFilter.event(request), bytes));
        }
    }
}
