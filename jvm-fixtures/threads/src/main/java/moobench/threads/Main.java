package moobench.threads;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import moobench.kernel.BusyWait;
import moobench.kernel.Fixture;
import moobench.kernel.Kernel;
import moobench.kernel.Message;
import moobench.kernel.Probes;
import moobench.kernel.Run;
import moobench.kernel.Series;

/** The fixture threads: a program with threads of its own, which is run from beginning to end, as often as is asked for. */
public final class Main implements Fixture {
    private Program program;
    private long[] rounds;

    private Main() {}

    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Kernel.serve(mainNs, new Main());
    }

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public void setup(Message request) throws Exception {
        request.only("program", "threshold", "work", "items", "produce", "consume", "rounds", "busy_wait");
        rounds = new long[(int) request.integer("rounds", 1, 1, 1 << 20)];
        BusyWait.choose(request.get("busy_wait") == null ? "lazy" : request.get("busy_wait"));
        String name = request.get("program") == null ? "even_odd" : request.get("program");
        switch (name) {
            case "even_odd":
                int threshold = (int) request.integer("threshold", 100_000, 2, 1 << 30);
                if (threshold % 2 != 0) {
                    throw new IllegalArgumentException("setup: threshold must be even, not " + threshold + ": with an odd one the other thread would end first");
                }
                program = new EvenOdd(threshold, request.integer("work", 0, 0, 1L << 40));
                break;
            case "producer_consumer":
                program = new ProducerConsumer((int) request.integer("items", 3, 1, 1 << 30),
                        request.integer("produce", 5_000_000, 0, 1L << 40), request.integer("consume", 2_000_000, 0, 1L << 40));
                break;
            default:
                throw new IllegalArgumentException("setup: program must be even_odd or producer_consumer, not " + name);
        }
    }

    /** Nothing is warmed up: the paper's programs are measured as they are started. */
    @Override
    public long prime(long calls) {
        return 0;
    }

    @Override
    public Run run() throws Exception {
        Arrays.fill(rounds, -1);
        Probes.prepareThread();
        long calls = 0;
        long beginNs = System.nanoTime();
        for (int i = 0; i < rounds.length; i++) {
            long begin = System.nanoTime();
            calls += program.run();
            rounds[i] = System.nanoTime() - begin;
        }
        // What the program's own threads use and allocate is not this thread's, and is seen from outside.
        return new Run(beginNs, System.nanoTime(), calls, -1, -1, -1, 0);
    }

    @Override
    public List<Series> series() {
        return Collections.singletonList(new Series("round", 0, "t:ns:duration", 1, rounds));
    }
}
