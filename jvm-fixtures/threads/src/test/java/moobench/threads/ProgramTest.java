package moobench.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgramTest {
    /** The paper's number of entries: two for each call. */
    @Test
    void evenOddMakesThePapersEntries() {
        assertEquals(800_022, 2 * new EvenOdd(100_000, 0).calls());
    }

    /** That they end, and what they count to, is checked by themselves. */
    @Test
    void programsEnd() throws Exception {
        Program evenOdd = new EvenOdd(10, 1000);
        evenOdd.run();
        evenOdd.run();
        new ProducerConsumer(100, 0, 0).run();
        new ProducerConsumer(3, 2_000_000, 500_000).run();
    }
}
