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
import moobench.kernel.Setup;

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
    public void setup(Setup setup) throws Exception {
        String name = setup.text("server");
        int pool = setup.count("pool");
        String target = setup.target();
        String monitored = setup.text("monitored");
        String toggle = setup.textOrNone("toggle");
        int depth = setup.depth();
        long methodTimeNs = setup.methodTimeNs();
        String busyWait = setup.busyWait();
        setup.end();
        BusyWait.choose(busyWait);
        Probes.canSwap(); // before anything is called: with some swappers, probes that are compiled in begin switched off
        toggles = new Toggles(toggle);
        service = Service.of(monitored, target, methodTimeNs, depth, toggles);
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
