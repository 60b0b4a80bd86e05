package io.posthorn.receiver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posthorn.receiver.dedupe.MemoryStore;
import io.posthorn.receiver.spring.PosthornAutoConfiguration;
import io.posthorn.receiver.spring.PosthornProperties;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

class SpringBootTest extends AdapterContract {
    private static final String PATH = "posthorn.receiver.path";
    private static final String SECRETS = "posthorn.receiver.secrets";

    SpringBootTest() throws Exception {
        super("Spring Boot");
    }

    @Test
    void propertiesAreEnough() throws Exception {
        Map<String, Object> properties = Map.of(
                PATH, "/hooks",
                SECRETS, STAGED + ", " + SECRET + "\n",
                "posthorn.receiver.header-name", "X-Acme-Signature",
                "posthorn.receiver.tolerance-seconds", "0",
                "posthorn.receiver.max-body-bytes", BODY.length);
        try (AnnotationConfigWebApplicationContext context = start(properties)) {
            FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
            assertEquals(Set.of("/hooks"), Set.copyOf(filter.getUrlPatterns()));
            Receiver receiver = context.getBean(Receiver.class);
            assertEquals("X-Acme-Signature", receiver.headerName());
            assertEquals(Optional.empty(), receive(receiver, BODY));
            assertEquals(Optional.empty(), receive(receiver, BODY));
            byte[] larger = Arrays.copyOf(BODY, BODY.length + 1);
            assertEquals(413, receive(receiver, larger).orElseThrow().status());
        }
    }

    @Test
    void aStoreBeanDeduplicates() throws Exception {
        AnnotationConfigWebApplicationContext context =
                context(Map.of(PATH, "/hooks", SECRETS, SECRET, "posthorn.receiver.tolerance-seconds", "0"));
        context.addBeanFactoryPostProcessor(factory -> factory.registerSingleton("store", new MemoryStore()));
        context.refresh();
        try (context) {
            Receiver receiver = context.getBean(Receiver.class);
            assertEquals(Optional.empty(), receive(receiver, BODY));
            assertEquals("ok\n", receive(receiver, BODY).orElseThrow().body());
        }
    }

    @Test
    void aSecretThatCannotWorkPreventsStartup() {
        for (String secret : List.of("", "whsec_test", "phk_" + "0".repeat(36))) {
            BeanCreationException error = assertThrows(
                    BeanCreationException.class, () -> start(Map.of(PATH, "/hooks", SECRETS, secret)));
            assertInstanceOf(UsageException.class, error.getMostSpecificCause());
        }
    }

    @Test
    void withoutAPathNothingIsConfigured() {
        try (AnnotationConfigWebApplicationContext context = start(Map.of())) {
            assertFalse(context.containsBean("posthornWebhookFilter"));
        }
    }

    @Test
    void descriptionsOfThePropertiesShowNoSecret() {
        PosthornProperties properties = new PosthornProperties("/hooks", List.of(SECRET), 300, "x", 1);
        assertEquals("PosthornProperties[path=/hooks, secrets=1]", properties.toString());
    }

    private static AnnotationConfigWebApplicationContext start(Map<String, Object> properties) {
        AnnotationConfigWebApplicationContext context = context(properties);
        context.refresh();
        return context;
    }

    private static AnnotationConfigWebApplicationContext context(Map<String, Object> properties) {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(PosthornAutoConfiguration.class);
        return context;
    }

    /** Signed long ago, so it passes only if the tolerance is off. */
    private static Optional<Answer> receive(Receiver receiver, byte[] body) throws Exception {
        List<String> lines = List.of(Signature.sign(body, List.of(SECRET), 1_700_000_000));
        return receiver.receive("POST", lines, bytesMax -> body, (event, verified, bytes) -> 204);
    }
}
