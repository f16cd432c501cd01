package moobench.threads;

/** A program that is run from beginning to end. */
public interface Program {
    /** Runs it, its threads from the first one's start to the last one's end, and returns how often it entered what is monitored. */
    long run() throws InterruptedException;
}
