package moobench.probes;

import moobench.kernel.Probes;

/**
 * The probe. {@link #enter} or {@link #enterIfActive} is called first in a monitored method, {@link #exit} last and in any
 * case. Where records go is set by {@code -Dmoobench.probe.stage}: {@code inactive} takes none, {@code collect} keeps the
 * last ones in memory, {@code write} writes all into probe.bin.
 */
public final class Probe {
    /** The token of a call that is not recorded. */
    public static final long OFF = Long.MIN_VALUE;

    private static final Stage STAGE = ProbeSettings.stage();
    private static final Recorders RECORDERS = new Recorders(STAGE == Stage.WRITE ? RecordFile.open() : null);

    /** Volatile, because it may be switched at any time; it is read once per call. */
    private static volatile boolean active = STAGE != Stage.INACTIVE;

    static {
        Probes.count("entered", RECORDERS::entered);
        Probes.count("exited", RECORDERS::exited);
        Probes.count("recorded", RECORDERS.recorded);
        Probes.beforeLoop(RECORDERS::mine);
        Runtime.getRuntime().addShutdownHook(new Thread(RECORDERS::finish, "moobench-probe-finish"));
    }

    private Probe() {}

    /** The number by which records name the method with this signature. */
    public static int method(String signature) {
        return Methods.id(signature);
    }

    /** Whether the probe is switched on. */
    public static boolean isActive() {
        return active;
    }

    /** Switches the probe on or off. */
    public static void setActive(boolean on) {
        active = on;
    }

    /** Whether an agent should put in {@link #enterIfActive}: it is to cost what it costs when it is off. */
    public static boolean isGuarded() {
        return STAGE == Stage.INACTIVE;
    }

    /** Begins a record if the probe is switched on, and returns its token. */
    public static long enterIfActive() {
        return active ? enter() : OFF;
    }

    /** Begins a record if the method's own switch is on, and returns its token. */
    public static long enterIfOn(int method) {
        return Switches.isOn(method) ? enter() : OFF;
    }

    /** Begins a record, and returns its token. */
    public static long enter() {
        Recorder recorder = RECORDERS.mine();
        long token = System.nanoTime();
        recorder.enter(); // last: an overflow of the stack before it leaves the counts equal
        return token;
    }

    /** Ends the record that the token stands for. */
    public static void exit(long token, int method) {
        if (token != OFF) {
            RECORDERS.mine().exit(token, System.nanoTime(), method);
        }
    }
}
