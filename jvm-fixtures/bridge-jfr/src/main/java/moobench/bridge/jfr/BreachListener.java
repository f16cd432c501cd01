package moobench.bridge.jfr;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** Listens to the JVM's own stream of events, and dumps the recording when it hears of a breach. */
final class BreachListener implements AutoCloseable {
    private static final long PATIENCE_S = 30;
    /** What lasts longer is a breach. */
    private static final Duration LONGEST = Duration.ofMillis(1);

    /** Writes a dump. */
    interface Dump {
        void write() throws Exception;
    }

    private final Dump dump;
    private final RecordingStream stream = new RecordingStream();
    private volatile long number;
    private volatile CompletableFuture<Void> dumped;

    /** Listens from now on. */
    BreachListener(Dump dump) {
        this.dump = dump;
        stream.enable(Breach.NAME).withThreshold(LONGEST);
        stream.onEvent(Breach.NAME, this::hear);
        stream.startAsync();
    }

    private void hear(RecordedEvent breach) {
        CompletableFuture<Void> answer = dumped;
        if (breach.getLong("id") != number) {
            return; // nobody waits for that one any more
        }
        try {
            dump.write();
            answer.complete(null);
        } catch (Throwable e) { // whatever it was, who waits must hear of it
            answer.completeExceptionally(e);
        }
    }

    /** Commits a breach, and waits until the dump that it leads to is written. */
    void breach() throws Exception {
        dumped = new CompletableFuture<>();
        number = number + 1; // by this thread alone
        Breach event = new Breach();
        event.begin();
        Thread.sleep(LONGEST.toMillis() + 1);
        event.id = number;
        event.commit();
        try {
            dumped.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no dump within " + PATIENCE_S + " s of a breach: nobody has heard of it", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    /** Ends the stream. */
    @Override
    public void close() {
        stream.close();
    }
}
