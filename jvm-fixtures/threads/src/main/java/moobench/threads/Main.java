package moobench.threads;

import moobench.kernel.Kernel;
import moobench.kernel.Setup;

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
    protected Program program(Setup setup, int rounds) {
        String name = setup.text("program");
        int threshold = setup.count("threshold");
        long workNs = setup.ns("work");
        int items = setup.count("items");
        long produceNs = setup.ns("produce");
        long consumeNs = setup.ns("consume");
        setup.end();
        switch (name) {
            case "even_odd": return new EvenOdd(threshold, workNs);
            case "producer_consumer": return new ProducerConsumer(items, produceNs, consumeNs);
            default: throw new IllegalArgumentException("setup: program must be even_odd or producer_consumer, not " + name);
        }
    }
}
