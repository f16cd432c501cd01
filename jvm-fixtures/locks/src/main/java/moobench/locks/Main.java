package moobench.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import moobench.kernel.Kernel;
import moobench.kernel.Run;
import moobench.kernel.Series;
import moobench.kernel.Setup;
import moobench.threads.Program;
import moobench.threads.Programs;

/** The fixture locks: programs whose methods hold a lock, for times that vary. */
public final class Main extends Programs {
    private final List<Times> times = new ArrayList<>();

    Main() {}

    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Kernel.serve(mainNs, new Main());
    }

    @Override
    public String name() {
        return "locks";
    }

    @Override
    protected Program program(Setup setup, int rounds) {
        String name = setup.text("program");
        int runs = setup.count("runs");
        int threads = setup.count("threads");
        int locks = setup.count("locks");
        long workNs = setup.ns("work");
        long outsideNs = setup.ns("outside");
        setup.end();
        times.clear();
        switch (name) {
            case "random_fast_slow":
                int slow = RandomFastSlowTest.slowRuns(runs);
                return new Repeated(() -> new RandomFastSlowTest(runs), 2 * runs,
                        times("execution", 2 * runs - slow, rounds), times("slow", slow, rounds));
            case "contended":
                return new Contended(threads, locks, runs, workNs, outsideNs, times("execution", runs, rounds));
            default:
                return new Repeated(kind(name), runs, times("execution", runs, rounds), null);
        }
    }

    private static Supplier<Micro> kind(String name) {
        switch (name) {
            case "arithmetic": return ArithmeticTest::new;
            case "append_to_list": return AppendToList::new;
            case "hashmap": return HashmapTest::new;
            case "allocation": return AllocationTest::new;
            case "string": return StringTest::new;
            case "sort_linked_list": return SortLinkedListTest::new;
            case "sort_array_list": return SortArrayListTest::new;
            case "stack": return StackTest::new;
            case "array_data_locality": return ArrayDataLocalityTest::new;
            case "array_list_of_array_list": return ArrayListOfArraylistTest::new;
            case "nested_synchronized": return NestedSynchronizedClassesTest::new;
            case "growing_integer_list": return GrowingIntegerListTest::new;
            case "sort_random_list": return SortRandomListTest::new;
            case "network_reachable": return NetworkIPReachableTest::new;
            default: throw new IllegalArgumentException("setup: there is no program " + name);
        }
    }

    private Times times(String series, int runs, int rounds) {
        Times made = new Times(series, Math.multiplyExact(runs, rounds));
        times.add(made);
        return made;
    }

    @Override
    public Run run() throws Exception {
        times.forEach(Times::clear);
        return super.run();
    }

    @Override
    public List<Series> series() {
        List<Series> all = new ArrayList<>(super.series());
        times.forEach(t -> all.add(t.series()));
        return all;
    }
}
