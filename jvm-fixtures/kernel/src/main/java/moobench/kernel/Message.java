package moobench.kernel;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One line of the protocol: {@code verb key=value key="quoted value"}. */
public final class Message {
    /** The longest line that is taken, in bytes, without its end. */
    public static final int MAX_BYTES = 64 << 10;

    private final String verb;
    private final Map<String, String> args = new LinkedHashMap<>();

    /** A message without arguments. */
    public Message(String verb) {
        this.verb = verb;
    }

    /** Adds an argument, and returns this message. */
    public Message with(String key, Object value) {
        args.put(key, String.valueOf(value));
        return this;
    }

    /** The message's first word. */
    public String verb() {
        return verb;
    }

    /** The value of a key, or null. */
    public String get(String key) {
        return args.get(key);
    }

    /** The value of a key that must be there, but may be empty. */
    public String given(String key) {
        String value = args.get(key);
        if (value == null) {
            throw new IllegalArgumentException(verb + ": " + key + " is missing");
        }
        return value;
    }

    /** The value of a key that must be there and not be empty. */
    public String require(String key) {
        String value = given(key);
        if (value.isEmpty()) {
            throw new IllegalArgumentException(verb + ": " + key + " is missing");
        }
        return value;
    }

    /** The integer at a key that must be there. */
    public long integer(String key) {
        String text = require(key);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(verb + ": " + key + " must be an integer, not " + text, e);
        }
    }

    /** The same; a smaller one than the least is refused. */
    public long integer(String key, long least) {
        long value = integer(key);
        if (value < least) {
            throw new IllegalArgumentException(verb + ": " + key + " must be at least " + least + ", not " + value);
        }
        return value;
    }

    /** Refuses keys that are not among these: nobody would heed them. */
    public void only(String... keys) {
        List<String> known = Arrays.asList(keys);
        for (String key : args.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(verb + ": unknown key " + key + " (known: " + String.join(", ", known) + ")");
            }
        }
    }

    /** The line, without its end. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(verb);
        for (Map.Entry<String, String> arg : args.entrySet()) {
            line.append(' ').append(arg.getKey()).append('=');
            appendValue(line, arg.getValue());
        }
        return line.toString();
    }

    private static void appendValue(StringBuilder line, String value) {
        if (isPlain(value)) {
            line.append(value);
            return;
        }
        line.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == '"' || c == '\\' || c == '=') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    /** Reads one line of UTF-8, without its end. */
    public static Message parse(byte[] line) {
        if (line.length > MAX_BYTES) {
            throw new IllegalArgumentException("line is longer than " + MAX_BYTES + " bytes");
        }
        try {
            return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("line is not UTF-8");
        }
    }

    /** Reads one line, without its end. */
    public static Message parse(String line) {
        return new Parser(line).message();
    }

    private static final class Parser {
        private final String line;
        private int at;

        Parser(String line) {
            this.line = line;
        }

        Message message() {
            Message message = new Message(name("a verb"));
            while (at < line.length()) {
                expect(' ');
                String key = name("a key");
                expect('=');
                String value = at < line.length() && line.charAt(at) == '"' ? quoted() : plain();
                if (message.args.put(key, value) != null) {
                    throw wrong("key " + key + " stands twice");
                }
            }
            return message;
        }

        private String name(String what) {
            int from = at;
            while (at < line.length() && isName(line.charAt(at), at > from)) {
                at++;
            }
            if (at == from) {
                throw wrong("expected " + what);
            }
            return line.substring(from, at);
        }

        private static boolean isName(char c, boolean inside) {
            return c >= 'a' && c <= 'z' || inside && (c >= '0' && c <= '9' || c == '_');
        }

        private void expect(char c) {
            if (at >= line.length() || line.charAt(at) != c) {
                throw wrong("expected '" + c + "'");
            }
            at++;
        }

        private String plain() {
            int from = at;
            while (at < line.length() && line.charAt(at) != ' ') {
                if (line.charAt(at) < ' ' || "\"\\=".indexOf(line.charAt(at)) >= 0) {
                    throw wrong("this value must be quoted");
                }
                at++;
            }
            return line.substring(from, at);
        }

        private String quoted() {
            StringBuilder value = new StringBuilder();
            for (at++; at < line.length(); at++) {
                char c = line.charAt(at);
                if (c == '"') {
                    at++;
                    return value.toString();
                }
                value.append(c == '\\' ? escaped() : c);
            }
            throw wrong("the quote is not closed");
        }

        private char escaped() {
            at++;
            char c = at < line.length() ? line.charAt(at) : ' ';
            if (c == 'n') {
                return '\n';
            }
            if (c == '"' || c == '\\') {
                return c;
            }
            throw wrong("unknown escape (known: \\\\ \\n \\\")");
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("column " + (at + 1) + ": " + what);
        }
    }
}
