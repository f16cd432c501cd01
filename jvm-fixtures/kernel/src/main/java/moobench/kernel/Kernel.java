package moobench.kernel;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** Serves one fixture to the harness: reads requests, lets the fixture do them, and answers each. */
public final class Kernel {
    /** Version of the protocol. */
    static final int PROTOCOL = 1;
    /** The environment variable that holds what the harness knows the fixture by. */
    static final String TOKEN = "MOOBENCH_TOKEN";
    /** What is said when nobody drives the fixture. */
    static final String NO_HARNESS =
            "moobench: error: this program is started by moobench, which says by -Dmoobench.control=host:port where it listens";

    private final Control control;
    private final Fixture fixture;
    private boolean ready;
    private boolean measured;
    private Course course; // null unless it is followed

    private Kernel(Control control, Fixture fixture) {
        this.control = control;
        this.fixture = fixture;
    }

    /**
     * Connects to the harness named by the system properties, and serves the fixture until it is told to quit; then the JVM
     * exits through its shutdown hooks. Never returns.
     *
     * @param mainNs System.nanoTime() at the entry of main
     */
    public static void serve(long mainNs, Fixture fixture) {
        String address = Settings.control();
        if (!address.matches(".+:[0-9]+")) {
            System.err.println(NO_HARNESS);
            System.exit(2);
        }
        try {
            Kernel kernel = new Kernel(Control.connect(address), fixture);
            kernel.greet(mainNs);
            kernel.serve();
        } catch (IOException | InterruptedException e) {
            System.err.println("moobench: error: talking to the harness at " + address + ": " + e);
            System.exit(Control.ABANDONED);
        }
        System.exit(0);
    }

    private void greet(long mainNs) throws IOException {
        String token = System.getenv(TOKEN); // not a property: a command line is seen by every user of the machine
        control.send(new Message("hello")
                .with("protocol", PROTOCOL)
                .with("token", token == null ? "" : token)
                .with("fixture", fixture.name())
                .with("pid", new File("/proc/self").getCanonicalFile().getName())
                .with("jvm", System.getProperty("java.vm.version", ""))
                .with("vm", System.getProperty("java.vm.name", ""))
                .with("main_ns", mainNs));
    }

    private void serve() throws IOException, InterruptedException {
        boolean open = true;
        while (open) {
            Message answer;
            try {
                Message request = Message.parse(control.next());
                open = !request.verb().equals("quit");
                answer = answer(request);
            } catch (InterruptedException e) {
                throw e;
            } catch (Throwable e) { // whatever it was, the harness must hear of it
                answer = SwapRequests.failed(e);
            }
            if (!open) {
                control.quitting();
            }
            control.send(answer);
        }
        control.close();
    }

    private Message answer(Message request) throws Exception {
        switch (request.verb()) {
            case "setup": return setup(request);
            case "prime": return prime(request);
            case "measure": return measure();
            case "follow": return follow(request);
            case "followed": return followed();
            case "gc": return collect();
            case "dump": return dump();
            case "code": return code();
            case "threads": return Started.answer(control::send);
            case "quit": return quit();
            default: return other(request);
        }
    }

    private Message other(Message request) throws Exception {
        Message answer = fixture.answer(request);
        return answer != null ? answer : SwapRequests.answer(request, control::send);
    }

    private Message quit() throws Exception {
        fixture.close();
        return new Message("bye");
    }

    private Message setup(Message request) throws Exception {
        if (ready) {
            throw new IllegalStateException("setup was done already: one JVM, one target");
        }
        fixture.setup(new Setup(request));
        Message answer = new Message("ready")
                .with("clock_ns", String.format(Locale.ROOT, "%.1f", Clock.costNs()))
                .with("tick_ns", Clock.tickNs());
        fixture.ready(answer);
        ready = true;
        return answer;
    }

    private Message prime(Message request) throws Exception {
        request.only("calls");
        need(ready, "prime", "setup");
        return new Message("primed").with("calls", fixture.prime(request.integer("calls", 0)));
    }

    private Message measure() throws Exception {
        need(ready, "measure", "setup");
        measured = false;
        Run run = fixture.run();
        measured = true;
        Message answer = new Message("measured")
                .with("begin_ns", run.beginNs).with("end_ns", run.endNs).with("calls", run.calls)
                .with("alloc_bytes", run.allocBytes).with("cpu_ns", run.cpuNs).with("delay_ns", run.delayNs)
                .with("reference_ns", run.referenceNs).with("threads_ns", run.threadsNs);
        if (run.lateNs >= 0) {
            answer.with("late_ns", run.lateNs);
        }
        return Probes.counts(answer, "recorded");
    }

    private static Message collect() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return new Message("collected").with("heap_used_bytes", runtime.totalMemory() - runtime.freeMemory());
    }

    private Message dump() throws IOException {
        if (fixture.serves()) {
            need(ready, "dump", "setup");
        } else {
            need(measured, "dump", "measure");
        }
        long bytes = 0;
        for (Series series : fixture.series()) {
            bytes += write(series);
        }
        return new Message("dumped").with("bytes", bytes);
    }

    private long write(Series series) throws IOException {
        long bytes = series.write(Probes.directory());
        control.send(series.message());
        return bytes;
    }

    /** Begins to take rows of this JVM's counters; without this request there is no thread that does. */
    private Message follow(Message request) {
        request.only("every_ns", "rows");
        need(course == null, "follow", "followed");
        course = new Course(request.integer("every_ns", 1), Math.toIntExact(request.integer("rows", 2)));
        course.start();
        return new Message("following");
    }

    private Message followed() throws IOException, InterruptedException {
        need(course != null, "followed", "follow");
        Course ended = course;
        course = null;
        return new Message("followed").with("bytes", write(ended.end()));
    }

    /** Says where the code came from that measures, and that is measured: an agent can have put its own in front. */
    private Message code() throws Exception {
        Set<Class<?>> all = new LinkedHashSet<>(fixture.code());
        all.addAll(Arrays.asList(Kernel.class, Control.class, Message.class, Loop.class, Pace.class, Paced.class, Reference.class, Run.class, Series.class, Probes.class));
        for (Class<?> type : all) {
            control.send(new Message("class").with("name", type.getName()).with("from", Started.from(type)));
        }
        return new Message("code").with("count", all.size());
    }

    private static void need(boolean done, String verb, String before) {
        if (!done) {
            throw new IllegalStateException(verb + ": " + before + " comes first");
        }
    }
}
