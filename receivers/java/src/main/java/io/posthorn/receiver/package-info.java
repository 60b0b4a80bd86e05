/**
 * Verifies the signed webhooks of Posthorn.
 *
 * <pre>{@code
 * Verifier verifier = Verifier.of(System.getenv("WEBHOOK_SECRET"));
 * Event event = verifier.constructEvent(bodyBytes, request.getHeader("X-Service-Signature"));
 * if (event.data() instanceof EmailBounced bounced) suppress(bounced.recipient());
 * }</pre>
 */
package io.posthorn.receiver;
