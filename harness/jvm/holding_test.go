package jvm

import "testing"

// Threads that are not daemons keep a JVM up whose main has ended; those of the JVM itself, and
// all of a program that is still at work, do not.
func TestHolders(t *testing.T) {
	const (
		ended  = "\"DestroyJavaVM\" #31 [77] prio=5 os_prio=0 cpu=400.37ms tid=0x1 nid=77 waiting on condition  [0x0]\n   java.lang.Thread.State: RUNNABLE\n\n"
		main   = "\"main\" #1 prio=5 os_prio=0 cpu=1ms tid=0x1 nid=0x2 runnable [0x3]\n\tat Batch.main(Batch.java:3)\n\n"
		daemon = "\"Common-Cleaner\" #8 daemon prio=8 os_prio=0 tid=0x1 nid=0x2 in Object.wait()\n\tat java.lang.Object.wait(java.base@17/Native Method)\n\n"
		own    = "\"VM Thread\" os_prio=0 cpu=1ms tid=0x1 nid=0x2 runnable\n\n"
		alive  = "\"alive\" #12 prio=5 os_prio=0 tid=0x1 nid=0x2 waiting on condition [0x3]\n   java.lang.Thread.State: TIMED_WAITING (sleeping)\n" +
			"\tat java.lang.Thread.sleep(java.base@17.0.19/Native Method)\n\tat app//acme.Alive.lambda$premain$0(Alive.java:7)\n\tat acme.Other.x(Other.java:1)\n\n"
		bare = "\"pool \\\"a\\\"\" #13 prio=5 tid=0x1 nid=0x2 runnable [0x3]\n\n"
	)
	for name, c := range map[string]struct{ dump, want string }{
		"nothing":       {"", ""},
		"at work":       {main + daemon + own + alive, ""},
		"daemons alone": {ended + daemon + own, ""},
		"one": {
			"Full thread dump\n" + own + alive + daemon + ended,
			"main has ended, and the thread alive (in acme.Alive.lambda$premain$0), which is not a daemon, keeps the JVM up: whoever has started it must end it, or make it a daemon",
		},
		"several": {
			alive + bare + bare + bare + bare + ended,
			`main has ended, and the threads alive (in acme.Alive.lambda$premain$0), pool \"a\", pool \"a\" and 2 more, which are not daemons, keep the JVM up: whoever has started them must end them, or make them daemons`,
		},
	} {
		if got := holders(c.dump); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
