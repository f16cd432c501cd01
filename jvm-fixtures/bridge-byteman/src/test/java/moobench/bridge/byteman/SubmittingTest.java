package moobench.bridge.byteman;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import moobench.kernel.Message;
import moobench.kernel.Session;
import moobench.kernel.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmittingTest {
    @TempDir Path dir;

    /** The method calls itself and throws at its bottom: each execution ends, whichever way. */
    @Test
    void rulesComeAndGo() throws Exception {
        try (Session session = Session.start(dir, "moobench.calls.Main", Session.agent(dir, "moobench.hotswap.Agent"),
                "-Dmoobench.swapper=" + Submitting.class.getName(), "-Dorg.jboss.byteman.compile.to.bytecode=true")) {
            session.setUp("target=" + Throwing.class.getName() + " calls=100 depth=70");
            String pattern = "pattern=\"* " + Throwing.class.getName() + ".*(..)\"";
            for (int round = 1; round <= 2; round++) {
                changed(session.ask("activate " + pattern));
                assertEquals("" + 7100 * round, session.ask("measure").require("recorded"));
                changed(session.ask("deactivate " + pattern));
                assertEquals("" + 7100 * round, session.ask("measure").require("recorded"));
            }
            assertEquals("records entered=14200 exited=14200 recorded=14200", session.ask("records").toString());
        }
    }

    private static void changed(Message answer) {
        assertEquals("1", answer.require("classes"), answer.toString());
        assertEquals("2", answer.require("methods"), answer.toString());
        assertEquals("0", answer.require("failed"), answer.toString());
    }

    /** Throws at the bottom, through all executions of the inner method. */
    public static final class Throwing implements Target {
        @Override
        public long monitoredMethod(long methodTimeNs, int depth) {
            try {
                return inner(depth);
            } catch (IllegalStateException e) {
                return depth;
            }
        }

        private static long inner(int depth) {
            if (depth == 1) {
                throw new IllegalStateException("bottom");
            }
            return inner(depth - 1);
        }
    }
}
