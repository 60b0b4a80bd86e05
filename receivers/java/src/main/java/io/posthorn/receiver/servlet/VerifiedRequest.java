package io.posthorn.receiver.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Gives the application the bytes that were verified. */
final class VerifiedRequest extends HttpServletRequestWrapper {
    private final ServletInputStream stream;
    private final BufferedReader reader;

    VerifiedRequest(HttpServletRequest request, byte[] body) {
        super(request);
        stream = new BytesStream(body);
        reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    @Override
    public ServletInputStream getInputStream() {
        return stream;
    }

    @Override
    public BufferedReader getReader() {
        return reader;
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public AsyncContext startAsync() {
        throw new IllegalStateException("Answer a webhook before the servlet returns: the status of the response decides"
                + " whether Posthorn sends the event again.");
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return startAsync();
    }

    private static final class BytesStream extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        BytesStream(byte[] body) {
            bytes = new ByteArrayInputStream(body);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public int available() {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("The whole body is there. Read it.");
        }
    }
}
