package moobench.server;

import java.util.Collections;
import java.util.List;
import moobench.kernel.BusyWait;
import moobench.kernel.Fixture;
import moobench.kernel.Kernel;
import moobench.kernel.Message;
import moobench.kernel.Probes;
import moobench.kernel.Run;
import moobench.kernel.Series;

/** The fixture server: it serves from setup to its end. */
public final class Main implements Fixture {
    private Service service;
    private Toggles toggles;
    private WebServer server;

    private Main() {}

    /** Serves the harness. */
    public static void main(String[] args) {
        long mainNs = System.nanoTime();
        Kernel.serve(mainNs, new Main());
    }

    @Override
    public String name() {
        return "server";
    }

    @Override
    public void setup(Message request) throws Exception {
        request.only("server", "pool", "target", "monitored", "toggle", "depth", "method_time", "busy_wait");
        String name = request.get("server") == null ? "jdk" : request.require("server");
        int pool = (int) request.integer("pool", 200, 1, 1 << 14);
        String target = request.get("target") == null ? "moobench.server.Plain" : request.require("target");
        int depth = (int) request.integer("depth", 1, 1, 1 << 20);
        long methodTimeNs = request.integer("method_time", 0, 0, 1L << 40);
        BusyWait.choose(request.get("busy_wait") == null ? "lazy" : request.get("busy_wait"));
        Probes.canSwap(); // before anything is called: with some swappers, probes that are compiled in begin switched off
        toggles = new Toggles(request.get("toggle") == null ? "" : request.get("toggle").trim());
        service = Service.of(request.get("monitored") == null ? "handler" : request.require("monitored"), target, methodTimeNs, depth, toggles);
        toggles.beginOff();
        server = WebServer.start(name, pool, service);
    }

    @Override
    public boolean serves() {
        return true;
    }

    @Override
    public void ready(Message answer) {
        answer.with("port", server.port());
    }

    @Override
    public long prime(long calls) {
        throw new IllegalStateException("prime: the fixture server serves from setup on; send it requests");
    }

    @Override
    public Run run() {
        throw new IllegalStateException("measure: the fixture server serves from setup on; send it requests, then ask for dump and counts");
    }

    @Override
    public Message answer(Message request) {
        if (!request.verb().equals("counts")) {
            return null;
        }
        request.only();
        if (server == null) {
            throw new IllegalStateException("counts: setup comes first");
        }
        return toggles.counts(service.counts(new Message("counts")));
    }

    @Override
    public List<Series> series() {
        return Collections.singletonList(toggles.series());
    }

    @Override
    public List<Class<?>> code() {
        return service == null ? Collections.emptyList() : Collections.singletonList(service.target());
    }

    @Override
    public void close() throws Exception {
        if (server != null) {
            server.stop();
        }
    }
}
