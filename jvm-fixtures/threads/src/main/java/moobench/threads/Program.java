package moobench.threads;

/** A program with threads of its own. */
interface Program {
    /** Runs it from the first thread's start to the last one's end, and returns how often it called monitored methods and constructors. */
    long run() throws InterruptedException;
}
