package io.posthorn.receiver.served;

import io.posthorn.receiver.Event;
import io.posthorn.receiver.Receiver;
import io.posthorn.receiver.servlet.WebhookFilter;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A controller in Spring Boot, with the auto-configuration and a receiver whose secrets change. */
final class SpringServed implements Served {
    private final ConfigurableApplicationContext context;

    /** What the test passes to the beans. */
    record Parts(Supplier<Receiver> receivers, Application application) {
    }

    SpringServed(int port, Supplier<Receiver> receivers, Application application) {
        Parts parts = new Parts(receivers, application);
        context = new SpringApplicationBuilder(App.class)
                .initializers(context -> ((GenericApplicationContext) context).registerBean(Parts.class, () -> parts))
                .properties(Map.of(
                        "posthorn.receiver.path", "/hooks",
                        "server.address", "127.0.0.1",
                        "server.port", port,
                        "spring.main.banner-mode", "off",
                        "logging.level.root", "off"))
                .run();
    }

    @Override
    public int port() {
        return Integer.parseInt(context.getEnvironment().getProperty("local.server.port"));
    }

    @Override
    public void close() {
        context.close();
    }

    @RestController
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class App {
        private final Application application;

        App(Parts parts) {
            application = parts.application();
        }

        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        static Receiver receiver(Parts parts) {
            return parts.receivers().get();
        }

        @Bean
        static FilterRegistrationBean<?> readsFirst() {
            FilterRegistrationBean<?> registration = new FilterRegistrationBean<>(ReadsFirst.FILTER);
            registration.setOrder(0);
            return registration;
        }

        @PostMapping("/hooks")
        ResponseEntity<Void> hooks(@RequestAttribute(WebhookFilter.EVENT) Event event, @RequestBody byte[] body)
                throws IOException {
            return ResponseEntity.status(application.process(event, body)).build();
        }

        @PostMapping(path = "/hooks", headers = "X-Async")
        CompletableFuture<String> async() {
            return CompletableFuture.completedFuture("late");
        }
    }
}
