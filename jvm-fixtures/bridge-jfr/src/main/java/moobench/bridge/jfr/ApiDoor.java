package moobench.bridge.jfr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/** By the API, from inside the program. */
final class ApiDoor implements Door {
    private final Settings settings;
    private Recording recording;

    ApiDoor(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void start(String name, Path file) throws IOException {
        Map<String, String> all = settings.all();
        recording = new Recording();
        try {
            recording.setName(name);
            recording.setSettings(all);
            recording.setDestination(file);
            recording.setDumpOnExit(true);
            recording.start();
            if (settings.disables()) {
                Settings.EVENTS.forEach(recording::disable);
            }
        } catch (IOException | RuntimeException e) {
            recording.close();
            throw e;
        }
    }

    @Override
    public void dump(Path file) throws IOException {
        recording.dump(file);
    }

    @Override
    public boolean stop(Path file) throws IOException {
        try {
            if (recording.getState() != RecordingState.RUNNING) {
                return false;
            }
            recording.setDestination(null); // with one, stop would write it, and not tell if it couldn't
            recording.stop();
            recording.dump(file);
            return true;
        } finally {
            recording.close();
        }
    }
}
