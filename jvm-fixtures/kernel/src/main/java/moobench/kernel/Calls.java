package moobench.kernel;

import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.List;

/** A fixture that times calls of a {@link Target}, which is named by the request and is the only one that is loaded. */
public final class Calls implements Fixture {
    private final String name;
    private final boolean application;
    private Loop loop;
    private Turns turns; // null until the first one
    private Paced paced; // likewise

    /** A fixture of this name, whose targets call themselves to a depth and then wait. */
    public Calls(String name) {
        this(name, false);
    }

    private Calls(String name, boolean application) {
        this.name = name;
        this.application = application;
    }

    /**
     * A fixture of this name, one call of which is one fixed unit of an application's work. That has neither depth nor
     * method time, and its code is not ours to compile a probe into: a request that asks for such is refused.
     */
    public static Calls application(String name) {
        return new Calls(name, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void setup(Setup setup) throws Exception {
        String target = setup.target();
        long calls = setup.large("calls", 1);
        int depth = setup.depth();
        int threads = setup.count("threads");
        long methodTimeNs = setup.methodTimeNs();
        String busyWait = setup.busyWait();
        int batch = setup.count("batch");
        long rate = setup.large("rate", 0);
        setup.end();
        BusyWait.choose(busyWait);
        if (application) {
            refuse(depth != 1, "one call is one unit of its work: say depth = 1, not " + depth);
            refuse(methodTimeNs != 0, "its work takes the time it takes: say method_time = 0, not " + methodTimeNs);
            refuse(!busyWait.equals("lazy"), "it waits for nothing: leave busy_wait out, " + busyWait + " does nothing");
            refuse(!target.startsWith("moobench." + name + "."), "a probe can't be compiled into it, and " + target + " is another program");
        }
        loop = new Loop(load(target), methodTimeNs, depth, calls, threads, batch, rate);
    }

    private void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException("fixture " + name + ": " + why);
        }
    }

    /** The one target of this JVM, of the class with this name. */
    public static Target load(String name) throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("target " + name + " is not on the class path", e);
        }
        if (!Target.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("target " + name + " doesn't implement " + Target.class.getName());
        }
        return make(type);
    }

    /** An object of a target's class. What its constructor throws is thrown on as it is: it says why there is none. */
    public static Target make(Class<?> type) throws ReflectiveOperationException {
        try {
            return (Target) type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw e;
        }
    }

    @Override
    public Message answer(Message request) throws Exception {
        switch (request.verb()) {
            case "turn": return turn(request);
            case "pace": return pace(request);
            default: return null;
        }
    }

    private Message turn(Message request) throws Exception {
        request.only("calls");
        long calls = request.integer("calls", 1);
        needLoop(request);
        if (turns == null) {
            turns = loop.turns();
        }
        return turns.take(calls);
    }

    private Message pace(Message request) throws InterruptedException {
        request.only("rate", "hold_ns");
        long rate = request.integer("rate", 1);
        long holdNs = request.integer("hold_ns", 1);
        needLoop(request);
        if (paced == null) {
            paced = loop.paced();
        }
        return paced.take(rate, holdNs);
    }

    private void needLoop(Message request) {
        if (loop == null) {
            throw new IllegalStateException(request.verb() + ": setup comes first");
        }
    }

    @Override
    public long prime(long calls) {
        return loop.prime(calls);
    }

    @Override
    public Run run() throws InterruptedException {
        return loop.run();
    }

    @Override
    public List<Series> series() {
        return loop.series();
    }

    @Override
    public List<Class<?>> code() {
        return loop == null ? Collections.emptyList() : Collections.singletonList(loop.target());
    }
}
