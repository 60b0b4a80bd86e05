package io.posthorn.receiver;

/**
 * The reply of a mail server.
 *
 * @param code for example 550, or null
 * @param enhancedCode for example 5.1.1, or null
 * @param message the text of the reply
 * @param command the command that it answers, or null
 */
public record SmtpResponse(Integer code, String enhancedCode, String message, String command) {
    static SmtpResponse in(Fields data) {
        if (!data.has("smtp_response")) {
            return null;
        }
        Fields reply = data.object("smtp_response");
        return new SmtpResponse(
                reply.integer("code"), reply.text("enhanced_code"), reply.text("message"), reply.text("command"));
    }
}
