package moobench.threads;

import moobench.kernel.Kernel;
import moobench.kernel.Message;

/** The fixture threads: a program with threads of its own. */
public final class Main extends Programs {
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
    protected Program program(Message request, int rounds) {
        request.only("program", "threshold", "work", "items", "produce", "consume", "rounds", "busy_wait");
        String name = request.get("program") == null ? "even_odd" : request.get("program");
        switch (name) {
            case "even_odd":
                int threshold = (int) request.integer("threshold", 100_000, 2, 1 << 30);
                if (threshold % 2 != 0) {
                    throw new IllegalArgumentException("setup: threshold must be even, not " + threshold + ": with an odd one the other thread would end first");
                }
                return new EvenOdd(threshold, request.integer("work", 0, 0, 1L << 40));
            case "producer_consumer":
                return new ProducerConsumer((int) request.integer("items", 3, 1, 1 << 30),
                        request.integer("produce", 5_000_000, 0, 1L << 40), request.integer("consume", 2_000_000, 0, 1L << 40));
            default:
                throw new IllegalArgumentException("setup: program must be even_odd or producer_consumer, not " + name);
        }
    }
}
