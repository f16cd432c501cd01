package moobench.bridge.meters;

import brave.handler.SpanHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import zipkin2.reporter.brave.AsyncZipkinSpanHandler;
import zipkin2.reporter.urlconnection.URLConnectionSender;

/** Sends spans to Zipkin by the reporter's own thread. */
final class ToZipkin implements ThreadFactory {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Its default is as long as the thread waits with a message that is not full, which would then be lost as often as not. */
    private static final int CLOSING_S = 5;

    /** Made with the first span. */
    private volatile Thread sending;

    private ToZipkin() {}

    /** Starts the reporter; at the JVM's exit it sends what it still holds. */
    static SpanHandler start() {
        ToZipkin threads = new ToZipkin();
        URLConnectionSender sender = URLConnectionSender.create(Settings.endpoint());
        AsyncZipkinSpanHandler.Builder builder =
                AsyncZipkinSpanHandler.newBuilder(sender).threadFactory(threads).closeTimeout(CLOSING_S, TimeUnit.SECONDS);
        int spans = Settings.spans();
        if (spans != Settings.DEFAULT_SPANS) {
            builder.queuedMaxSpans(spans).queuedMaxBytes(Integer.MAX_VALUE); // its default is a hundredth of the heap
        }
        AsyncZipkinSpanHandler handler = builder.build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> threads.finish(handler, sender), "moobench-brave-finish"));
        return handler;
    }

    @Override
    public Thread newThread(Runnable r) {
        sending = new Thread(r);
        return sending;
    }

    /**
     * Closes the reporter once its thread waits for spans: closed earlier, it would send no more than one message. Nobody makes
     * spans any more.
     */
    private void finish(AsyncZipkinSpanHandler handler, URLConnectionSender sender) {
        long end = System.nanoTime() + PATIENCE_NS;
        while (sending != null && sending.isAlive() && !waits() && System.nanoTime() - end < 0) {
            pause();
        }
        handler.close();
        sender.close();
    }

    private boolean waits() {
        Thread.State state = sending.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
