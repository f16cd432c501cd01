package moobench.probes;

/** How far a record goes. */
enum Stage {
    INACTIVE, COLLECT, WRITE
}
