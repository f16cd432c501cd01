package moobench.sample;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Every way of asking for a lock and of giving it back; what each returns tells whether it still does what it did. */
public final class Locked {
    private static final Object GUARD = new Object();
    private static final List<String> BEGUN = new ArrayList<>();

    static {
        synchronized (GUARD) {
            BEGUN.add("begun");
        }
    }

    private int depth;

    private Locked() {}

    /** Runs all, and returns what came out, in order. */
    public static String all() throws Exception {
        Locked a = new Locked();
        StringBuilder out = new StringBuilder().append(BEGUN);
        out.append(a.sum(1, 2L, 3f, 4.0)).append(text("x")).append(first(new int[] {3})).append(a.deep(5)).append(a.loop(3)).append(a.nested(a, new Object())).append(a.early(7)).append(a.early(-7));
        for (int i = 0; i < 4; i++) {
            try {
                out.append(a.fails(i));
            } catch (IllegalStateException e) {
                out.append(e.getMessage());
            }
        }
        out.append(a.caught()).append(a.waits()).append(explicit()).append(stamps()).append(overflows()).append(dies()).append(read()).append(nothing());
        return out.toString();
    }

    private synchronized double sum(int i, long l, float f, double d) {
        return i + l + f + d;
    }

    private static synchronized String text(String s) {
        return s + "!";
    }

    private static synchronized int first(int[] all) {
        return all[0];
    }

    private synchronized int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n - 1);
    }

    /** The loop begins where the lock has just been got. */
    private int loop(int n) {
        int sum = 0;
        synchronized (this) {
            while (n > 0) {
                sum += n--;
            }
        }
        return sum;
    }

    private int nested(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                synchronized (outer) {
                    return 1;
                }
            }
        }
    }

    private synchronized String early(int n) {
        try {
            if (n < 0) {
                return "negative";
            }
            synchronized (GUARD) {
                return "positive";
            }
        } finally {
            depth++;
        }
    }

    private synchronized int fails(int n) {
        synchronized (GUARD) {
            if (n % 2 == 0) {
                throw new IllegalStateException("even");
            }
        }
        if (n == 3) {
            throw new IllegalStateException("three");
        }
        return n;
    }

    private synchronized int caught() {
        while (true) {
            try {
                synchronized (GUARD) {
                    throw new IllegalStateException();
                }
            } catch (IllegalStateException e) {
                if (depth++ > 5) {
                    return depth;
                }
            }
        }
    }

    private synchronized boolean waits() throws InterruptedException {
        wait(1);
        Thread.currentThread().interrupt();
        try {
            wait();
            return false;
        } catch (InterruptedException e) {
            return Thread.holdsLock(this);
        }
    }

    private static String explicit() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        lock.lock();
        try {
            changed.await(1, TimeUnit.MILLISECONDS);
            changed.awaitNanos(1000);
        } finally {
            lock.unlock();
        }
        StringBuilder out = new StringBuilder().append(lock.isLocked()).append(lock.tryLock(1, TimeUnit.SECONDS));
        Thread other = new Thread(() -> out.append(lock.tryLock()));
        other.start();
        other.join();
        lock.unlock();
        Lock read = new ReentrantReadWriteLock().readLock();
        read.lockInterruptibly();
        read.unlock();
        try {
            read.unlock();
        } catch (IllegalMonitorStateException e) {
            out.append("once");
        }
        return out.toString();
    }

    private static String stamps() throws InterruptedException {
        StampedLock lock = new StampedLock();
        long write = lock.writeLock();
        long none = lock.tryReadLock(1, TimeUnit.MICROSECONDS);
        lock.unlockWrite(write);
        long read = lock.readLock();
        lock.unlock(read);
        return none + "" + lock.isReadLocked();
    }

    private synchronized int endless(int n) {
        synchronized (GUARD) {
            return endless(n + 1) + 1;
        }
    }

    /** However full the stack is, locks are given back. */
    private static String overflows() throws InterruptedException {
        Locked a = new Locked();
        try {
            a.endless(0);
        } catch (StackOverflowError e) {
            // as it should be
        }
        boolean[] got = new boolean[1];
        Thread other = new Thread(() -> {
            synchronized (GUARD) {
                synchronized (a) {
                    got[0] = true;
                }
            }
        });
        other.setDaemon(true);
        other.start();
        other.join(10_000);
        return "free " + got[0] + Thread.holdsLock(GUARD) + Thread.holdsLock(a);
    }

    private static String dies() throws InterruptedException {
        Locked a = new Locked();
        Thread dies = new Thread(() -> {
            synchronized (a) {
                throw new IllegalStateException();
            }
        });
        dies.setUncaughtExceptionHandler((t, e) -> {});
        dies.start();
        dies.join();
        synchronized (a) {
            return "after";
        }
    }

    private static String nothing() {
        Object none = null;
        try {
            synchronized (none) {
                return "impossible";
            }
        } catch (NullPointerException e) {
            return "null";
        }
    }

    private static String read() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(new Kept());
        Object back = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass type) throws ClassNotFoundException {
                return Class.forName(type.getName(), false, Locked.class.getClassLoader());
            }
        }.readObject();
        return back.toString() + ObjectStreamClass.lookup(Kept.class).getSerialVersionUID();
    }

    /** Its number is made of its methods and their modifiers. */
    @SuppressWarnings("serial")
    static final class Kept implements Serializable {
        private int n = 1;

        public synchronized int next() {
            return n++;
        }

        protected static synchronized int other() {
            return 2;
        }

        @Override
        public String toString() {
            return "kept" + n;
        }
    }
}
