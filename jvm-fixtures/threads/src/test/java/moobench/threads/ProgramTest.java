package moobench.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgramTest {
    /** The paper's number of entries: two for each call. One more may be made where a thread wakes by itself. */
    @Test
    void evenOddMakesThePapersEntries() throws Exception {
        assertEquals(800_022, 2 * new EvenOdd(100_000, 0).run(), 20);
    }

    /** What they count to is checked by themselves. */
    @Test
    void programsEnd() throws Exception {
        Program evenOdd = new EvenOdd(10, 1000);
        assertEquals(51, evenOdd.run(), 1);
        assertEquals(51, evenOdd.run(), 1);
        assertEquals(201, new ProducerConsumer(100, 0, 0).run());
        assertEquals(7, new ProducerConsumer(3, 2_000_000, 500_000).run());
    }
}
