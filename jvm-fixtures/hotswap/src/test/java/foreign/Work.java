package foreign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;

/** A program that knows nothing of us: for each line that it reads it does something, and prints one line. */
public final class Work {
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    private Work() {}

    public static void main(String[] args) throws Exception {
        new Work().serve();
    }

    private void serve() throws Exception {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(line));
        }
    }

    private String answer(String line) throws Exception {
        switch (line) {
            case "tree": return "" + outer(3);
            case "threads": return threads();
            case "hold": return "" + hold();
            case "manual": return "" + before();
            case "disable": return "" + KiekerPart.enable(false);
            case "enable": return "" + KiekerPart.enable(true);
            default: return "what is " + line + "?";
        }
    }

    private String threads() throws InterruptedException {
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                for (int n = 0; n < 500; n++) {
                    outer(3);
                }
            });
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        return "done";
    }

    /** outer(3): one call of recurse(3), which makes two more; a leaf, and one call that throws. */
    int outer(int depth) {
        int sum = recurse(depth) + leaf();
        try {
            return sum + failing();
        } catch (IllegalStateException e) {
            return sum + leaf();
        }
    }

    int recurse(int depth) {
        return depth > 1 ? 1 + recurse(depth - 1) : 1;
    }

    int leaf() {
        return 1;
    }

    int failing() {
        leaf();
        throw new IllegalStateException("expected");
    }

    /** Waits in the middle, so that others can change what is monitored. */
    int hold() {
        leaf();
        System.out.println("holding");
        try {
            in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return 1 + leaf();
    }

    /** Above and below of a method that has Kieker's probe compiled in. */
    int before() {
        leaf();
        return KiekerPart.probed(this::leaf) + leaf();
    }
}
