package moobench.bridge.kieker;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import kieker.common.configuration.Configuration;
import kieker.common.record.IMonitoringRecord;
import kieker.common.record.misc.KiekerMetadataRecord;
import kieker.monitoring.writer.AbstractMonitoringWriter;
import moobench.kernel.Probes;

/** Takes Kieker's records to the end of its queue, counts them there, and drops them. */
public final class CountingWriter extends AbstractMonitoringWriter {
    /** Written by Kieker's writer thread alone. */
    private final AtomicLong count = new AtomicLong();

    /** Called by Kieker, by name. */
    public CountingWriter(Configuration configuration) {
        super(configuration);
    }

    @Override
    public void onStarting() {
        Probes.count("recorded", count::get);
    }

    @Override
    public void writeMonitoringRecord(IMonitoringRecord monitoringRecord) {
        if (!(monitoringRecord instanceof KiekerMetadataRecord)) { // says who writes, not what was called
            count.lazySet(count.get() + 1);
        }
    }

    @Override
    public void onTerminating() {
        try {
            Probes.writeCount(count.get());
        } catch (IOException e) {
            System.err.println("moobench: error: writing the number of records: " + e);
        }
    }
}
