package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartedTest {
    /** What an agent may bring: a loader of its own. */
    private static final class Apart extends URLClassLoader {
        Apart() {
            super(new URL[0]);
        }
    }

    private static final class Own extends Thread {
        Own(Runnable body, String name) {
            super(body, name);
        }
    }

    private final CountDownLatch end = new CountDownLatch(1);

    private Message started(Thread thread, ClassLoader context, String name) throws InterruptedException {
        thread.setContextClassLoader(context);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        List<Message> lines = new ArrayList<>();
        Message last = Started.answer(lines::add);
        end.countDown();
        assertTrue(Integer.parseInt(last.get("count")) >= lines.size());
        for (Message line : lines) {
            if (line.get("name").equals(name)) {
                return line;
            }
        }
        return null;
    }

    private void await() {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A worker without work: all its methods are the JDK's. */
    private static Runnable idle() {
        Runnable[] body = new Runnable[1];
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new SynchronousQueue<>(), worker -> {
            body[0] = worker;
            return null; // the test starts it
        }).prestartCoreThread();
        return body[0];
    }

    @Test
    void aClassOfThreadsTells() throws Exception {
        Message line = started(new Own(this::await, "a\tb"), null, "a?b");
        assertEquals(Own.class.getName(), line.get("class"));
        assertEquals(Started.from(StartedTest.class), line.get("from"));
    }

    @Test
    void theOutermostMethodTells() throws Exception {
        assertEquals(StartedTest.class.getName(), started(new Thread(this::await, "outermost"), null, "outermost").get("class"));
    }

    @Test
    void theLoaderOfAnIdleWorkerTells() throws Exception {
        try (Apart apart = new Apart()) {
            Thread worker = new Thread(idle(), "idle");
            assertEquals(Apart.class.getName(), started(worker, apart, "idle").get("class"));
        }
    }

    @Test
    void nothingTellsOfAnIdleWorkerOfTheJdk() throws Exception {
        assertNull(started(new Thread(idle(), "nobody's"), null, "nobody's"));
    }
}
