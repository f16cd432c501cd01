package moobench.bridge.kieker;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import kieker.common.configuration.Configuration;
import kieker.common.record.IMonitoringRecord;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.writer.AbstractMonitoringWriter;

/** Keeps Kieker's records of executions. */
public final class KeepingWriter extends AbstractMonitoringWriter {
    static final Queue<OperationExecutionRecord> RECORDS = new ConcurrentLinkedQueue<>();

    /** Called by Kieker, by name. */
    public KeepingWriter(Configuration configuration) {
        super(configuration);
    }

    @Override
    public void onStarting() {}

    @Override
    public void writeMonitoringRecord(IMonitoringRecord record) {
        if (record instanceof OperationExecutionRecord) {
            RECORDS.add((OperationExecutionRecord) record);
        }
    }

    @Override
    public void onTerminating() {}
}
