package moobench.bridge.arthas;

import com.taobao.arthas.agent.attach.ArthasAgent;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import moobench.kernel.Probes;
import moobench.swappers.Commanding;

/**
 * Has Arthas monitor methods by its {@code monitor}, and puts their classes back by its {@code reset}, as a user does by its
 * HTTP interface.
 */
public final class Commands extends Commanding {
    private final Api api;
    private final Home home;
    private final Map<String, Job> jobs = new ConcurrentHashMap<>();
    private final LongSupplier recorded = this::recorded;
    /** Of jobs that have ended. */
    private volatile long ended;

    /** For {@code -Dmoobench.swapper}: starts Arthas, which monitors nothing then. */
    public Commands() throws IOException {
        home = new Home();
        int port = freePort();
        Map<String, String> settings = new HashMap<>();
        settings.put("arthas.ip", LOOPBACK);
        settings.put("arthas.httpPort", "" + port);
        settings.put("arthas.telnetPort", "-1");
        settings.put("arthas.sessionTimeout", "1000000");
        settings.put("arthas.outputPath", home.folder().resolve("output").toString());
        new ArthasAgent(settings, home.folder().toString(), false, Probes.instrumentation()).init();
        api = new Api(port);
        Probes.count("recorded", recorded);
        Runtime.getRuntime().addShutdownHook(new Thread(this::finish, "moobench-arthas-finish"));
    }

    private long recorded() {
        return ended + jobs.values().stream().mapToLong(Job::total).sum();
    }

    @Override
    protected void enter(List<Place> methods) throws Exception {
        for (Place method : methods) {
            jobs.put(key(method), new Job(api, method));
        }
    }

    @Override
    protected void leave(List<Place> methods) throws Exception {
        for (Place method : methods) {
            Job job = jobs.get(key(method));
            job.end();
            String answer = api.ask("action", "exec", "command", "reset " + method.type.getName());
            jobs.remove(key(method));
            ended += job.total();
            if (Api.number(answer, "classCount") == 0) {
                throw new IOException("Arthas puts no class back: " + answer);
            }
        }
    }

    private static String key(Place method) {
        return System.identityHashCode(method.type.getClassLoader()) + method.signature;
    }

    private void finish() {
        try {
            Probes.writeCount(recorded, recorded());
            home.remove();
        } catch (IOException e) {
            System.err.println("moobench: error: finishing Arthas's counts: " + e);
        }
    }
}
