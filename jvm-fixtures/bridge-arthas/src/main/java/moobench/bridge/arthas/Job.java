package moobench.bridge.arthas;

import java.io.IOException;
import moobench.swappers.Commanding.Place;

/** A running {@code monitor} of one method, in a session of its own: a session does one thing at a time. */
final class Job {
    /** Seconds after which it would send its counts and begin anew: they are read where they are kept. */
    private static final int CYCLE_S = 1_000_000;

    private final Api api;
    private final String session;
    private final String consumer;
    private final Counts counts;

    /** Begins to monitor, and returns when the method is monitored. */
    Job(Api api, Place method) throws Exception {
        this.api = api;
        String opened = api.ask("action", "init_session");
        session = Api.text(opened, "sessionId");
        consumer = Api.text(opened, "consumerId");
        do {
            api.ask("action", "async_exec", "sessionId", session, "command", "monitor -c " + CYCLE_S + " " + method.type.getName() + " " + method.name);
        } while (!entered());
        counts = Counts.of(method);
        settled();
    }

    /** Waits for what the command says; false where it is to be given again. */
    private boolean entered() throws IOException {
        String answer = "";
        while (!answer.contains("\"type\":\"enhancer\"") && !answer.contains("\"type\":\"status\"")) {
            answer = api.ask("action", "pull_results", "sessionId", session, "consumerId", consumer);
        }
        if (answer.contains("someone else is enhancing classes")) { // the one before, which had said already that it was done
            return false;
        }
        if (Api.number(answer, "methodCount") == 0) {
            throw new IOException("Arthas monitors nothing: " + answer);
        }
        return true;
    }

    /** At its begin the job's timer sends counts at once, if there are any, and begins anew. From then on it waits. */
    private void settled() throws InterruptedException {
        String timer = "Timer-for-arthas-monitor-" + session;
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        while (!waits(timer, group)) {
            Thread.sleep(1);
        }
    }

    private static boolean waits(String name, ThreadGroup group) {
        Thread[] threads = new Thread[2 * group.activeCount()];
        for (int i = group.enumerate(threads) - 1; i >= 0; i--) {
            if (threads[i].getName().equals(name)) {
                return threads[i].getState() == Thread.State.TIMED_WAITING;
            }
        }
        return false;
    }

    /** Ends it. The class stays as Arthas has written it. */
    void end() throws IOException {
        api.ask("action", "interrupt_job", "sessionId", session);
        api.ask("action", "close_session", "sessionId", session);
    }

    /** The executions that Arthas has counted; also once it has ended. */
    long total() {
        return counts.total();
    }
}
