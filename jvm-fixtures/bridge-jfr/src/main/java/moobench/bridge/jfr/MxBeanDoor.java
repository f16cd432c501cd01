package moobench.bridge.jfr;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import jdk.jfr.RecordingState;
import jdk.management.jfr.FlightRecorderMXBean;
import jdk.management.jfr.RecordingInfo;

/** By the management bean, as a console does it over JMX; here without a connection. */
final class MxBeanDoor implements Door {
    private final Settings settings;
    private FlightRecorderMXBean bean; // asked for with the first recording: it is part of Flight Recorder
    private long id;

    MxBeanDoor(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void start(String name, Path file) throws IOException {
        Map<String, String> all = settings.all();
        bean = ManagementFactory.getPlatformMXBean(FlightRecorderMXBean.class);
        id = bean.newRecording();
        try {
            bean.setRecordingSettings(id, all);
            bean.setRecordingOptions(id, Map.of("name", name, "destination", file.toString(), "dumpOnExit", "true"));
            bean.startRecording(id);
            if (settings.disables()) {
                Settings.EVENTS.forEach(event -> all.put(event + "#enabled", "false"));
                bean.setRecordingSettings(id, all);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void dump(Path file) throws IOException {
        bean.copyTo(id, file.toString());
    }

    @Override
    public boolean stop(Path file) throws IOException {
        try {
            if (state() != RecordingState.RUNNING) {
                return false;
            }
            // With a destination, the stop would write it, and not tell if it couldn't.
            bean.setRecordingOptions(id, Collections.singletonMap("destination", null));
            bean.stopRecording(id);
            bean.copyTo(id, file.toString());
            return true;
        } finally {
            close();
        }
    }

    private RecordingState state() {
        for (RecordingInfo info : bean.getRecordings()) {
            if (info.getId() == id) {
                return RecordingState.valueOf(info.getState());
            }
        }
        return RecordingState.CLOSED; // such aren't listed
    }

    private void close() throws IOException {
        if (state() != RecordingState.CLOSED) {
            bean.closeRecording(id);
        }
    }
}
