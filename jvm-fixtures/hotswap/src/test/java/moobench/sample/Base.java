package moobench.sample;

/** Has no constructor without arguments. */
class Base {
    final String name;

    Base(String name) {
        this.name = name;
    }
}
