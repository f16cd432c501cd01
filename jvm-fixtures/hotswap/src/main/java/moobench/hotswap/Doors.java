package moobench.hotswap;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Paths;
import moobench.kernel.Probes;
import moobench.kernel.SwapRequests;
import moobench.probes.Probe;
import moobench.probes.ProbeSettings;
import moobench.probes.patterns.PatternList;

/** The ways in which this JVM's agent is told what to monitor; only those that were asked for are open. */
final class Doors {
    private static final String KIEKER = "kieker.monitoring.core.controller.MonitoringController";
    /** The probe that logs events, as class files name it. */
    static final String EVENTS = "moobench/probes/events/Events";

    private static final ClassLoader LOADER = Doors.class.getClassLoader();

    private final Observed swapper;
    private final String probe;
    private final String keep;

    private Doors(Observed swapper, String probe, String keep) {
        this.swapper = swapper;
        this.probe = probe;
        this.keep = keep;
    }

    /** Starts the agent; whatever fails does so before anything is changed. */
    static Doors open(Settings settings, Instrumentation instrumentation) {
        PatternList list = atStart(settings);
        if (settings.keep != null) { // as a JVM is told that was started for it
            System.setProperty("moobench.dir", settings.keep);
            System.setProperty("moobench.events.waits", "true");
        }
        String probe = settings.logsEvents() ? settings.probe : probe(settings.probe);
        String probeClass = probe.equals("kieker") ? "moobench/hotswap/KiekerProbe" : settings.logsEvents() ? EVENTS : "moobench/probes/Probe";
        Swaps swaps = new Swaps(instrumentation, probeClass, new Injector(plan(settings, probeClass)), list, settings.lingerNs);
        Observed swapper = new Observed(swaps, () -> prepare(probeClass));
        if (!probe.equals("kieker") || !list.patterns().isEmpty()) {
            prepare(probeClass); // a dormant agent starts no Kieker
        }
        if (settings.logsEvents() && ProbeSettings.waits()) {
            Parking.tell(instrumentation);
        }
        swaps.start();
        Probes.instrumentation(instrumentation);
        Probes.swapper(swapper);
        return new Doors(swapper, probe, settings.keep);
    }

    private static Plan plan(Settings settings, String probeClass) {
        if (settings.probe.equals("locks")) {
            return new Locks(probeClass, ProbeSettings.locks());
        }
        Calls.Enter enter;
        if (settings.logsEvents()) {
            enter = ProbeSettings.waits() ? Calls.Enter.EVENT_AND_WAITS : Calls.Enter.EVENT;
        } else {
            enter = Probe.isGuarded() ? Calls.Enter.IF_ACTIVE : settings.lingerNs > 0 ? Calls.Enter.IF_ON : Calls.Enter.ALWAYS;
        }
        return new Calls(probeClass, enter);
    }

    /** Opens the doors that were asked for. */
    void serve(Settings settings) {
        if (settings.file != null) {
            PatternFile.watch(Paths.get(settings.file), settings.intervalS, settings.update, swapper);
        }
        if (settings.jmx) {
            SwapperBean.register(swapper);
        }
        connect(settings);
    }

    /** The agent was attached once more. */
    void again(Settings settings) {
        for (String name : settings.lasting()) {
            System.err.println("moobench: warning: the hotswap agent is in this JVM already: " + name + " stays as it was");
        }
        if (settings.patterns != null) {
            PatternList.parse(settings.patterns); // what is wrong with it is the attacher's mistake
            try {
                swapper.replace(SwapRequests.split(settings.patterns));
            } catch (Exception e) {
                throw new IllegalStateException("exchanging the list of patterns: " + e.getMessage(), e);
            }
        }
        connect(settings);
    }

    private void connect(Settings settings) {
        if (settings.host == null) {
            return;
        }
        try {
            Remote.connect(settings.host, settings.port, settings.token, probe, keep);
        } catch (IOException e) {
            throw new IllegalArgumentException("control: nobody listens at " + settings.host + ":" + settings.port + ": " + e.getMessage(), e);
        }
    }

    private static PatternList atStart(Settings settings) {
        boolean told = settings.patterns != null;
        String text = told ? settings.patterns : ProbeSettings.load();
        try {
            return PatternList.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException((told ? "patterns: " : "-Dmoobench.probe.load: ") + e.getMessage(), e);
        }
    }

    private static String probe(String wanted) {
        if (!wanted.equals("moobench")) {
            try {
                Class.forName(KIEKER, false, LOADER);
                return "kieker";
            } catch (ClassNotFoundException | LinkageError e) {
                if (wanted.equals("kieker")) {
                    throw new IllegalArgumentException("probe=kieker, but Kieker is not on the class path: " + e, e);
                }
            }
        }
        return "moobench";
    }

    /** Has the probe count, and what it records to be there: now, not in the application's first call. */
    private static void prepare(String probeClass) {
        try {
            Class.forName(probeClass.replace('/', '.'), true, LOADER);
        } catch (ClassNotFoundException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException("the probe " + probeClass.replace('/', '.') + " can't be used: " + cause, e);
        }
    }
}
