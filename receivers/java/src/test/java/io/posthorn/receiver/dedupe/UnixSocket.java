package io.posthorn.receiver.dedupe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.SocketFactory;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Connects the driver of PostgreSQL through a Unix socket, because the server of the tests has no port. */
public final class UnixSocket extends SocketFactory {
    private final String path;

    /** Called by the driver. */
    public UnixSocket(String path) {
        this.path = path;
    }

    /** Opens an address such as {@code postgres://user@%2Ftmp%2Ffolder/database}. */
    static DataSource postgres(String url) {
        String[] parts = url.replaceFirst("^postgres(ql)?://", "").split("[@/?]");
        String folder = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUser(parts[0]);
        dataSource.setDatabaseName(parts[2]);
        dataSource.setSslMode("disable");
        dataSource.setGssEncMode("disable");
        if (folder.startsWith("/")) {
            dataSource.setSocketFactory(UnixSocket.class.getName());
            dataSource.setSocketFactoryArg(folder + "/.s.PGSQL.5432");
        } else {
            URI address = URI.create(url);
            dataSource.setServerNames(new String[] {address.getHost()});
            dataSource.setPortNumbers(new int[] {address.getPort() < 0 ? 5432 : address.getPort()});
        }
        return dataSource;
    }

    @Override
    public Socket createSocket() {
        return new ChannelSocket(path);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }

    private static final class ChannelSocket extends Socket {
        private final String path;
        private SocketChannel channel;

        ChannelSocket(String path) {
            this.path = path;
        }

        @Override
        public void connect(SocketAddress ignored, int timeoutMs) throws IOException {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
        }

        @Override
        public boolean isConnected() {
            return channel != null && channel.isConnected();
        }

        @Override
        public InputStream getInputStream() {
            return Channels.newInputStream(channel);
        }

        @Override
        public OutputStream getOutputStream() {
            return Channels.newOutputStream(channel);
        }

        @Override
        public void setTcpNoDelay(boolean on) {
            // A Unix socket never delays.
        }

        @Override
        public void setSoTimeout(int timeoutMs) {
            // The tests need no time limit of their own.
        }

        @Override
        public int getSoTimeout() {
            return 0;
        }

        @Override
        public void setKeepAlive(boolean on) {
            // A Unix socket cannot lose its peer silently.
        }

        @Override
        public boolean isClosed() {
            return channel == null || !channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
