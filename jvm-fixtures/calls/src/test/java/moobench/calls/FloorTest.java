package moobench.calls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class FloorTest {
    @Test
    void printsOneLine() throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setOut(new PrintStream(text, true));
        try {
            Floor.main(new String[] {"1000"});
        } finally {
            System.setOut(out);
        }
        String number = "-?[0-9]+\\.[0-9]+";
        assertTrue(text.toString().trim().matches("floor rounds=21 loop_ns=" + number + " floor_ns=" + number + " ratio=" + number + " alloc_bytes=" + number), text.toString());
    }
}
