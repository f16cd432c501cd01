package moobench.hotswap;

import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import moobench.kernel.Counts;
import moobench.kernel.Probes;
import moobench.kernel.Swapper;
import moobench.kernel.Switch.Swap;
import moobench.sample.Busy;

/**
 * Toggles probes at random under eight busy threads, and then looks whether anything was lost, left or leaked. To be run with
 * the agent: {@code java -javaagent:hotswap.jar[=linger=20ms] -cp … moobench.hotswap.Stress [toggles [seed]]}. Status 0 if all is well.
 */
public final class Stress {
    private static final int THREADS = 8;
    /** How many toggles there are between collections. */
    private static final int COLLECTED_EVERY = 100;
    private static final String[] PATTERNS = {
        "public long moobench.sample.Busy.recurse(int)", "* moobench.sample.Busy.*(..)", "* moobench.sample..*.*(..) throws ..", "new moobench.sample.Busy.<init>(..)",
        "new moobench.sample..*.<init>(..)", "static * moobench.sample.Busy.*(..)", "private * ..Busy.*(..) throws ..", "* moobench.sample.Bodies.*(..)", "* moobench.sample.Bo*.b*(..)",
        "synchronized * moobench..*.*(..)", "* moobench.sample.Busy.thrower(int) throws ..*", "*", "void moobench.sample.Absent.run()",
    };

    private final Instrumentation instrumentation = Probes.instrumentation();
    private final Swapper swapper = Probes.agent();
    private final Random random;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean done;

    private Stress(long seed) {
        random = new Random(seed);
    }

    /** Takes the number of toggles and a seed. */
    public static void main(String[] args) throws Exception {
        int toggles = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        List<String> wrong = new Stress(seed).run(toggles);
        wrong.forEach(each -> System.out.println("wrong: " + each));
        System.exit(wrong.isEmpty() ? 0 : 1); // the agent's own threads must not keep it
    }

    private List<String> run(int toggles) throws Exception {
        List<String> wrong = new ArrayList<>();
        Busy.round(0); // everything is loaded
        List<Class<?>> types = sampleClasses();
        List<byte[]> before = originals(types);
        Thread[] threads = start();
        long[] early = null;
        int classes = 0;
        for (int i = 0; i < toggles; i++) {
            Swap swap = toggle();
            classes += swap.classes;
            swap.failures.forEach(wrong::add);
            if (random.nextInt(20) == 0) {
                Thread.sleep(random.nextInt(30)); // some probes linger longer than they may
            }
            if (i % COLLECTED_EVERY == 0) {
                collect();
            }
            if (i == toggles / 2) {
                early = used();
            }
        }
        long[] late = used();
        swapper.replace(Collections.emptyList()).failures.forEach(wrong::add);
        done = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            wrong.add("a busy thread ended with " + failure.get());
        }
        checkRecords(wrong);
        checkBytes(types, before, wrong);
        checkMemory(early, late, wrong);
        System.out.println(toggles + " toggles, " + classes + " classes exchanged, records " + Counts.of("recorded") + ", heap KiB " + early[0] / 1024 + " then " + late[0] / 1024
                + ", metaspace KiB " + early[1] / 1024 + " then " + late[1] / 1024);
        return wrong;
    }

    private List<Class<?>> sampleClasses() {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().startsWith("moobench.sample.") && instrumentation.isModifiableClass(type)) {
                types.add(type);
            }
        }
        return types;
    }

    /** The classes without probes, after they have been exchanged once: the JVM may order a file anew, but only then. */
    private List<byte[]> originals(List<Class<?>> types) throws Exception {
        swapper.activate("* moobench.sample..*.*(..)");
        swapper.replace(Collections.emptyList());
        List<byte[]> all = new ArrayList<>();
        for (Class<?> type : types) {
            byte[] file = SwapsTest.now(instrumentation, type);
            for (; hasProbe(file); file = SwapsTest.now(instrumentation, type)) {
                Thread.sleep(20); // it lingers
            }
            all.add(file);
        }
        return all;
    }

    private static boolean hasProbe(byte[] file) {
        return new String(file, StandardCharsets.ISO_8859_1).contains("moobench/probes/Probe");
    }

    private Thread[] start() {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(() -> {
                try {
                    for (int round = 0; !done; round++) {
                        Busy.round(round);
                        Thread.yield(); // who toggles gets a turn, and the same toggles take a third of the time
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }, "busy-" + i);
            threads[i].start();
        }
        return threads;
    }

    private String pattern() {
        return PATTERNS[random.nextInt(PATTERNS.length)];
    }

    private Swap toggle() throws Exception {
        switch (random.nextInt(8)) {
            case 0: return swapper.remove(pattern());
            case 1: return swapper.replace(list());
            case 2: case 3: case 4: return swapper.deactivate(pattern());
            default: return swapper.activate(pattern());
        }
    }

    private List<String> list() {
        String[] list = new String[random.nextInt(4)];
        for (int i = 0; i < list.length; i++) {
            list[i] = (random.nextInt(3) == 0 ? "- " : "+ ") + pattern();
        }
        return Arrays.asList(list);
    }

    /**
     * Collects until the classes' older versions are gone, which takes two or three collections, because compiled code goes
     * first. The room that they leave counts as used, and is taken by later ones: rarely collected, metaspace would be as large as
     * there were changes meanwhile.
     */
    private static void collect() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(20); // another thread of the JVM puts away what was found
        }
    }

    /** Bytes of heap and of metaspace in use after collections. */
    private static long[] used() throws InterruptedException {
        collect();
        long heap = 0;
        long metaspace = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            metaspace += pool.getName().equals("Metaspace") ? pool.getUsage().getUsed() : 0;
            heap += pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null ? pool.getCollectionUsage().getUsed() : 0;
        }
        return new long[] {heap, metaspace};
    }

    private static void checkRecords(List<String> wrong) {
        String counts = Counts.of("entered") + " entered, " + Counts.of("exited") + " exited, " + Counts.of("recorded") + " recorded";
        if (Counts.of("entered") != Counts.of("exited") || Counts.of("exited") != Counts.of("recorded") || Counts.of("recorded") == 0) {
            wrong.add(counts);
        }
    }

    /** Probes that linger are taken out a little later. */
    private void checkBytes(List<Class<?>> types, List<byte[]> before, List<String> wrong) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        for (int i = 0; i < types.size(); i++) {
            while (!Arrays.equals(before.get(i), SwapsTest.now(instrumentation, types.get(i)))) {
                if (System.nanoTime() > deadline) {
                    wrong.add(types.get(i) + " is not what it was; a probe is in it: " + hasProbe(SwapsTest.now(instrumentation, types.get(i))));
                    break;
                }
                Thread.sleep(20);
            }
        }
        if (!swapper.instrumented().isEmpty() || types.size() < 3) {
            wrong.add("still monitored: " + swapper.instrumented() + " of " + types);
        }
    }

    private static void checkMemory(long[] early, long[] late, List<String> wrong) {
        if (late[0] > early[0] * 1.5 + (4 << 20)) {
            wrong.add("the heap grows: " + early[0] + " B, then " + late[0] + " B");
        }
        if (late[1] > early[1] * 1.2 + (2 << 20)) {
            wrong.add("metaspace grows: " + early[1] + " B, then " + late[1] + " B");
        }
    }
}
