package moobench.probes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class RecordersTest {
    /** Threads come and go, as with one for each request: their counts stay, and their buffer goes to the next. */
    @Test
    void whatEndedThreadsHadIsHandedOn() throws Exception {
        Recorders recorders = new Recorders(null);
        for (int i = 0; i < 200; i++) {
            Thread thread = new Thread(() -> {
                recorders.mine().enter();
                recorders.mine().exit(1, 2, 0);
            });
            thread.start();
            thread.join();
        }
        assertEquals(200, recorders.entered());
        assertEquals(200, recorders.exited());
        assertEquals(1, recorders.present().size());
    }

    @Test
    void aMethodKeepsItsNumber() {
        for (int i = 0; i < 200; i++) {
            String signature = "void a.B.m" + i + "()";
            assertEquals(signature, Methods.signature(Methods.id(signature)));
            assertEquals(Methods.id(signature), Methods.id(signature));
        }
        assertSame(Methods.signature(0), Methods.signature(0));
    }
}
