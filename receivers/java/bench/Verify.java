import io.posthorn.receiver.Signature;
import io.posthorn.receiver.Verifier;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Compares a verification without parsing with the bare HMAC of the same bytes. Prints the medians of 41 rounds. */
class Verify {
    private static final String SECRET = "whsec_test_0123456789abcdef0123456789abcdef";
    private static final int ROUNDS = 41;
    private static volatile Object kept;

    public static void main(String[] args) throws Exception {
        System.out.println("| Body | `Mac` | `verify` | Ratio |\n|---|---|---|---|");
        for (int bytes : new int[] {512, 65_536}) {
            byte[] body = new byte[bytes];
            new Random(1).nextBytes(body);
            String header = Signature.sign(body, SECRET);
            Verifier verifier = Verifier.of(SECRET);
            byte[] before = (header.substring(2, header.indexOf(',')) + ".").getBytes(StandardCharsets.US_ASCII);
            SecretKeySpec key = new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256");
            Runnable bare = () -> kept = bare(key, before, body);
            Runnable verify = () -> kept = verifier.verify(body, header);
            int count = Math.max(50, 20_000_000 / (bytes + 500));
            for (int round = 0; round < 20; round++) {
                usOf(bare, count);
                usOf(verify, count);
            }
            double[] bareUs = new double[ROUNDS];
            double[] verifyUs = new double[ROUNDS];
            double[] ratio = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                bareUs[round] = usOf(bare, count);
                verifyUs[round] = usOf(verify, count);
                ratio[round] = bareUs[round] / verifyUs[round];
            }
            System.out.printf(Locale.ROOT, "| %s | %.1f µs | %.1f µs | %.2f |%n",
                    bytes == 512 ? "0.5 kB" : "64 kB", median(bareUs), median(verifyUs), median(ratio));
        }
    }

    private static byte[] bare(SecretKeySpec key, byte[] before, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(before);
            return mac.doFinal(body);
        } catch (java.security.GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Processor time of this thread, so that other load on the machine counts less. */
    private static double usOf(Runnable work, int count) {
        long since = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < count; i++) {
            work.run();
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - since) / 1000.0 / count;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
