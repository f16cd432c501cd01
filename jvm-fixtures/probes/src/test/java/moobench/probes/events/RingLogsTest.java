package moobench.probes.events;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import moobench.probes.Methods;
import moobench.probes.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingLogsTest {
    @TempDir Path dir;

    private EventFile file() throws IOException {
        return EventFile.create(dir.resolve("events.bin"));
    }

    private EventsRead read() throws IOException {
        return new EventsRead(dir.resolve("events.bin"));
    }

    private static Thread started(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.start();
        return thread;
    }

    /** Adds events whose times count from 0. */
    private static void add(EventLogs logs, int n) {
        add(logs, n, new CountDownLatch(1));
    }

    /** The same, begun when as many threads have a log as the latch waits for. */
    private static void add(EventLogs logs, int n, CountDownLatch present) {
        Object self = new Object();
        EventLog log = logs.mine();
        present.countDown();
        try {
            present.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 0; i < n; i++) {
            log.add(i % 2 == 0 ? EventLog.ENTER : EventLog.EXIT, i, self, i % 7);
        }
    }

    /** What each thread adds is there in its order, however rings run over; what is lost is counted, at its place and in all. */
    @Test
    void manyThreadsAtOnce() throws Exception {
        RingLogs logs = new RingLogs(file(), 1 << 20);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch present = new CountDownLatch(4); // a ring that is still full has no room for the next thread's events
        for (int i = 0; i < 4; i++) {
            threads.add(started("t" + i, () -> add(logs, 200_000, present)));
        }
        for (Thread each : threads) {
            each.join();
        }
        long written = logs.close();
        EventsRead read = read();
        assertEquals(4, read.events.size());
        long events = 0;
        long ends = 0;
        for (List<long[]> each : read.events.values()) {
            events += each.size();
            long before = -1;
            long hash = each.get(0)[1] & 0xFFFFFFFFL;
            for (long[] event : each) {
                assertTrue(event[0] > before);
                before = event[0];
                ends += event[0] % 2;
                assertEquals(event[0] % 2 << 60 | event[0] % 7 << 32 | hash, event[1]);
            }
        }
        assertEquals(800_000, events + logs.lost());
        assertArrayEquals(new long[] {events, logs.lost(), 0}, read.end);
        assertTrue(read.missing <= logs.lost());
        assertEquals(ends, written);
        assertEquals(ends, logs.recorded());
    }

    /** A thread gets what an ended one had, and has a name of its own in it. */
    @Test
    void threadsThatComeAndGo() throws Exception {
        RingLogs logs = new RingLogs(file(), 64 << 20);
        for (int i = 0; i < 50; i++) {
            started("t" + i, () -> add(logs, 2)).join();
        }
        assertEquals(100, logs.entered() + logs.exited());
        logs.close();
        EventsRead read = read();
        assertEquals(50, read.events.size());
        for (List<long[]> each : read.events.values()) {
            assertEquals(2, each.size());
        }
    }

    /** What is written so far can be read while the program runs, and after it was killed. */
    @Test
    void isThereBeforeTheEnd() throws Exception {
        RingLogs logs = new RingLogs(file(), 64 << 20);
        add(logs, 1000);
        String name = Thread.currentThread().getName();
        while (read().events.getOrDefault(name, new ArrayList<>()).size() < 1000) { // the writer may have begun in between
            Thread.sleep(1);
        }
        assertNull(read().end);
        logs.close();
        assertEquals(1000, read().end[0]);
    }

    /** The disk is bounded, too: what has no room there is counted. */
    @Test
    void theFileIsBounded() throws Exception {
        System.setProperty("moobench.events.limit", "160k");
        try {
            RingLogs logs = new RingLogs(file(), 64 << 20);
            add(logs, 100_000);
            logs.close();
        } finally {
            System.clearProperty("moobench.events.limit");
        }
        assertTrue(Files.size(dir.resolve("events.bin")) < 200 << 10);
        EventsRead read = read();
        assertEquals(100_000, read.end[0] + read.end[1] + read.end[2]);
        assertTrue(read.end[2] > 0);
    }

    /** Ten thousand threads that live at the same time don't take more memory than is theirs. */
    @Test
    void memoryIsShared() throws Exception {
        RingLogs logs = new RingLogs(file(), 64 << 20);
        long bytes = 0;
        for (int i = 0; i < 10_000; i++) {
            bytes += (long) ((Ring) logs.make(i)).capacity() * Ring.EVENT_BYTES;
        }
        logs.close();
        assertTrue(bytes < 128 << 20, bytes + " bytes");
    }

    /** Locks have the names of their classes, one each, and turns say up to when all is there. */
    @Test
    void locksAreNamed() throws Exception {
        RingLogs logs = new RingLogs(file(), 64 << 20);
        for (int i = 0; i < 3; i++) {
            logs.mine().name("a lock");
            logs.mine().name(RingLogs.class);
        }
        add(logs, 2);
        logs.note("class a.B: too new");
        logs.close();
        EventsRead read = read();
        List<String> classes = new ArrayList<>(read.objects.values());
        java.util.Collections.sort(classes);
        assertEquals(java.util.Arrays.asList("class moobench.probes.events.RingLogs", "java.lang.String"), classes);
        assertEquals(java.util.Arrays.asList("class a.B: too new"), read.notes);
        assertEquals(1, read.turns);
    }

    /** What a section is stands behind the name of its method. */
    @Test
    void sectionsAreTold() throws Exception {
        Section section = new Section(Section.Kind.BLOCK, 17, new int[] {20, 1, 2, 3}, new String[] {"", "a.List.add", "", "a.Odd\0Name"});
        int id = Methods.id("void a.Sectioned.run()", section);
        assertEquals(id, Methods.id("void a.Sectioned.run()", section));
        assertEquals(id + 1, Methods.id("void a.Sectioned.run()"));
        RingLogs logs = new RingLogs(file(), 64 << 20);
        add(logs, 2);
        logs.close();
        EventsRead read = read();
        assertEquals("void a.Sectioned.run()", read.methods.get(id));
        assertEquals("void a.Sectioned.run()", read.methods.get(id + 1));
        assertEquals("2 17 20 1 2 3 ;a.List.add;;a.Odd?Name;", read.sections.get(id));
        assertNull(read.sections.get(id + 1));
    }

    /** Where nothing is to be written meanwhile, all of it is there at the end. */
    @Test
    void keepsInMemory() throws Exception {
        System.setProperty("moobench.events.stream", "false");
        try {
            RingLogs logs = new RingLogs(file(), 1 << 30);
            add(logs, 2_000_000);
            Thread.sleep(20);
            assertTrue(read().events.isEmpty());
            logs.close();
        } finally {
            System.clearProperty("moobench.events.stream");
        }
        assertArrayEquals(new long[] {2_000_000, 0, 0}, read().end);
    }
}
