package moobench.threads;

/** A program with threads of its own. */
interface Program {
    /** Runs it from the first thread's start to the last one's end; it can be run again. */
    void run() throws InterruptedException;

    /** How often a run calls monitored methods and constructors; exact, whatever the scheduler does. */
    long calls();
}
