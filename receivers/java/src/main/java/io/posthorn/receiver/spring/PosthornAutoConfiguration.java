package io.posthorn.receiver.spring;

import io.posthorn.receiver.Receiver;
import io.posthorn.receiver.Verifier;
import io.posthorn.receiver.dedupe.DedupeStore;
import io.posthorn.receiver.dedupe.Deduplicator;
import io.posthorn.receiver.servlet.WebhookFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * Verifies the requests to {@code posthorn.receiver.path} before they reach your controller. It deduplicates if there is a
 * bean of {@link DedupeStore}. Define a {@link Verifier} or {@link Receiver} bean to configure more.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("posthorn.receiver.path")
@EnableConfigurationProperties(PosthornProperties.class)
public class PosthornAutoConfiguration {
    /** Created by Spring. */
    public PosthornAutoConfiguration() {
    }

    @Bean
    @ConditionalOnMissingBean({Verifier.class, Receiver.class})
    Verifier posthornVerifier(PosthornProperties properties) {
        return Verifier.builder()
                .secrets(properties.secrets())
                .toleranceSeconds(properties.toleranceSeconds())
                .headerName(properties.headerName())
                .maxBodyBytes(properties.maxBodyBytes())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    Receiver posthornReceiver(Verifier verifier, ObjectProvider<DedupeStore> stores) {
        Receiver receiver = new Receiver(verifier);
        DedupeStore store = stores.getIfAvailable();
        return store == null ? receiver : receiver.with(new Deduplicator(store));
    }

    @Bean
    FilterRegistrationBean<WebhookFilter> posthornWebhookFilter(
            ObjectProvider<Receiver> receivers, PosthornProperties properties) {
        // Asked for each request, so that the receiver may be a bean with another scope.
        FilterRegistrationBean<WebhookFilter> registration =
                new FilterRegistrationBean<>(new WebhookFilter(receivers::getObject));
        registration.addUrlPatterns(properties.path());
        return registration;
    }
}
