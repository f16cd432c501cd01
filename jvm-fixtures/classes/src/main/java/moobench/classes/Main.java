package moobench.classes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import moobench.kernel.BusyWait;
import moobench.kernel.Fixture;
import moobench.kernel.Kernel;
import moobench.kernel.Meter;
import moobench.kernel.Probes;
import moobench.kernel.Run;
import moobench.kernel.Series;
import moobench.kernel.Setup;
import moobench.kernel.SwapRequests;
import moobench.kernel.Switch;

/** The fixture classes: many clones of one target, of which a few change at a time. */
public final class Main implements Fixture {
    private String target; // null: it is not set up
    private int samples;
    private int patterns;
    private boolean wantsBare;
    private boolean wantsWatcher;
    private boolean atLoad;
    private CloneLoader loader;
    private ClassSet[] sets;
    private Hot hot; // null: none
    private Changes changes;

    private Main() {}

    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Kernel.serve(mainNs, new Main());
    }

    @Override
    public String name() {
        return "classes";
    }

    @Override
    public void setup(Setup setup) throws Exception {
        target = setup.target();
        int loaded = setup.count("loaded");
        int methods = setup.count("methods");
        int atOnce = setup.count("at_once");
        boolean oneByOne = setup.flag("one_by_one");
        samples = setup.count("samples");
        atLoad = setup.flag("at_load");
        patterns = setup.countOrNone("patterns");
        wantsBare = setup.flag("bare") && atOnce == 1 && !atLoad;
        wantsWatcher = setup.flag("watcher");
        int calls = setup.countOrNone("calls");
        int depth = setup.depth();
        long methodTimeNs = setup.methodTimeNs();
        String busyWait = setup.busyWait();
        setup.end();
        BusyWait.choose(busyWait);
        Probes.canSwap(); // before anything is called: with some swappers, probes that are compiled in begin switched off
        Clones clones = new Clones(target, methods);
        Population population = new Population(clones);
        loader = population.loader();
        Thread.currentThread().setContextClassLoader(loader); // where swappers find classes by name
        hot = calls == 0 ? null : new Hot(population.load(clones.hot()), clones.pattern(clones.hot()), methodTimeNs, depth, calls);
        if (atLoad) {
            population.load(loaded, 1, false, 0);
            sets = population.make(atOnce, oneByOne, samples);
        } else {
            sets = population.load(loaded, atOnce, oneByOne, samples);
        }
    }

    @Override
    public long prime(long calls) {
        return hot == null ? 0 : hot.prime(calls);
    }

    /** The agent may have come after the setup: whatever needs it is made here, before the clock runs. */
    @Override
    public Run run() throws Exception {
        Switch swapper = Probes.swapper();
        prepare(swapper);
        Bare bare = wantsBare && Probes.hasAgent() ? new Bare(sets) : null;
        Watcher watcher = wantsWatcher ? new Watcher() : null;
        try (Meter meter = new Meter()) {
            changes = new Changes(sets, samples, swapper, atLoad ? loader : null, bare, watcher);
            Probes.prepareThread();
            return run(swapper, meter);
        } finally {
            if (bare != null) {
                bare.close();
            }
            if (watcher != null) {
                watcher.close();
            }
        }
    }

    private void prepare(Switch swapper) throws Exception {
        if (patterns > 0) {
            List<String> nowhere = new ArrayList<>();
            for (int i = 0; i < patterns; i++) {
                nowhere.add(String.format(Locale.ROOT, "+ * moobench.nowhere.P%05d.*(..)", i));
            }
            Changes.check("replace", patterns + " patterns", SwapRequests.replace(nowhere));
        }
        for (ClassSet set : sets) {
            for (String pattern : set.patterns) {
                swapper.prepare(pattern);
            }
        }
        if (hot != null) {
            swapper.prepare(hot.pattern());
        }
    }

    private Run run(Switch swapper, Meter meter) throws Exception {
        meter.begin();
        long beginNs = System.nanoTime();
        changes.run();
        if (hot != null) {
            hot.run(swapper);
        }
        long endNs = System.nanoTime();
        meter.end();
        long calls = changes.calls() + (hot == null ? 0 : hot.calls());
        return new Run(beginNs, endNs, calls, meter.allocBytes(), meter.cpuNs(), meter.delayNs(), 0);
    }

    /** That of which clones are made, and who changes them. */
    @Override
    public List<Class<?>> code() throws Exception {
        return target == null ? Collections.emptyList() : Arrays.asList(Class.forName(target), Changes.class, Clones.class);
    }

    @Override
    public List<Series> series() {
        List<Series> all = new ArrayList<>(changes.series());
        if (hot != null) {
            all.addAll(hot.series());
        }
        return all;
    }
}
