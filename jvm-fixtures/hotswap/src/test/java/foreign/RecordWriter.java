package foreign;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import kieker.common.configuration.Configuration;
import kieker.common.record.IMonitoringRecord;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.writer.AbstractMonitoringWriter;

/** Writes what of Kieker's records doesn't vary, a line each: number of the trace, eoi, ess, session, signature. */
public final class RecordWriter extends AbstractMonitoringWriter {
    private final Map<Long, Integer> traces = new HashMap<>();
    private final PrintWriter out;

    /** Called by Kieker, by name. */
    public RecordWriter(Configuration configuration) throws IOException {
        super(configuration);
        out = new PrintWriter(Files.newBufferedWriter(Paths.get("records.txt")));
    }

    @Override
    public void onStarting() {}

    @Override
    public void writeMonitoringRecord(IMonitoringRecord monitoringRecord) {
        if (monitoringRecord instanceof OperationExecutionRecord) {
            OperationExecutionRecord r = (OperationExecutionRecord) monitoringRecord;
            boolean odd = r.getTin() <= 0 || r.getTout() < r.getTin() || !r.getHostname().equals("the-host");
            Integer trace = traces.computeIfAbsent(r.getTraceId(), id -> traces.size());
            out.println(trace + " " + r.getEoi() + " " + r.getEss() + " " + r.getSessionId() + " " + r.getOperationSignature() + (odd ? " ODD " + r : ""));
            out.flush();
        }
    }

    @Override
    public void onTerminating() {
        out.close();
    }
}
