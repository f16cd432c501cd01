package moobench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SetupTest {
    private static Setup setup(String keys) {
        return new Setup(Message.parse("setup " + keys));
    }

    private static void refuses(String why, String keys, Function<Setup, Object> read) {
        assertEquals("setup: " + why, assertThrows(IllegalArgumentException.class, () -> read.apply(setup(keys))).getMessage());
    }

    @Test
    void whatIsThereIsRead() {
        Setup setup = setup("target=a.B depth=3 rate=5000000000 at_load=true toggle=\"\" busy_wait=wall method_time=0");
        assertEquals("a.B", setup.target());
        assertEquals(3, setup.depth());
        assertEquals(5_000_000_000L, setup.large("rate", 0));
        assertTrue(setup.flag("at_load"));
        assertEquals("", setup.textOrNone("toggle"));
        assertEquals("wall", setup.busyWait());
        assertEquals(0, setup.methodTimeNs());
        setup.end();
    }

    @Test
    void nothingHasADefault() {
        refuses("depth is missing", "other=1", Setup::depth);
        refuses("target is missing", "target=\"\"", Setup::target);
        refuses("toggle is missing", "other=1", setup -> setup.textOrNone("toggle"));
        refuses("bare is missing", "other=1", setup -> setup.flag("bare"));
    }

    @Test
    void whatNoFixtureCanHoldIsRefused() {
        refuses("depth must be an integer, not deep", "depth=deep", Setup::depth);
        refuses("depth must be at least 1, not 0", "depth=0", Setup::depth);
        refuses("depth must be at most 2147483647, not 2147483648", "depth=2147483648", Setup::depth);
        refuses("calls must be at least 0, not -1", "calls=-1", setup -> setup.countOrNone("calls"));
        refuses("bare must be true or false, not yes", "bare=yes", setup -> setup.flag("bare"));
    }

    @Test
    void whatIsNotReadIsRefused() {
        Setup setup = setup("depth=1 dept=3");
        setup.depth();
        assertEquals("setup: unknown key dept (known: depth)", assertThrows(IllegalArgumentException.class, setup::end).getMessage());
    }
}
