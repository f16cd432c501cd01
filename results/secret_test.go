package results

import (
	"slices"
	"testing"
)

func TestCutSecrets(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"-Dapi.key=SECRETKEY", "-Dapi.key=…"},
		{"-Dapi.key=a,b;c d", "-Dapi.key=…"},
		{"-Ddb.password=1234", "-Ddb.password=…"},
		{"-Djavax.net.ssl.keyStorePassword=changeit", "-Djavax.net.ssl.keyStorePassword=…"},
		{"DB_PASSWORD=x", "DB_PASSWORD=…"},
		{"--auth-token=abc", "--auth-token=…"},
		{"-Durl=jdbc:x://joe:hunter2@db/1?password=hunter3&ssl=true", "-Durl=jdbc:x://…@db/1?password=…&ssl=true"},
		{"-javaagent:/x/agent.jar=license_key=abc,level=3,token=def", "-javaagent:/x/agent.jar=license_key=…,level=3,token=…"},
		{"OTEL_EXPORTER_OTLP_HEADERS=api-key=abc,x=1", "OTEL_EXPORTER_OTLP_HEADERS=api-key=…,x=1"},
		{"Authorization: Bearer abc def", "Authorization: …"},
		// Nothing to hide:
		{"-Xmx512m", "-Xmx512m"},
		{"-Dcache.key.size=10", "-Dcache.key.size=10"},
		{"-Dtoken=5", "-Dtoken=5"},
		{"-Dmax.tokens=many", "-Dmax.tokens=many"},
		{"-Djavax.net.ssl.keyStore=/x/y", "-Djavax.net.ssl.keyStore=/x/y"},
		{"http://127.0.0.1:80/a@b", "http://127.0.0.1:80/a@b"},
		{"monkey=x", "monkey=x"},
		{"", ""},
	} {
		if got, names := CutSecrets([]string{c.text}); got[0] != c.want || (len(names) > 0) != (c.text != c.want) {
			t.Errorf("%s became %s (%q), want %s", c.text, got[0], names, c.want)
		}
		once, _ := CutSecrets([]string{c.want})
		if once[0] != c.want {
			t.Errorf("%s became %s", c.want, once[0])
		}
	}
	got, names := CutSecrets([]string{"curl", "--token", "abc", "-u", "x", "--secret", "--verbose"})
	if want := []string{"curl", "--token", "…", "-u", "x", "--secret", "--verbose"}; !slices.Equal(got, want) || !slices.Equal(names, []string{"token"}) {
		t.Errorf("%q, %q", got, names)
	}
}
