/** The programs of Ferber 2016: threads that take turns at one object, and threads that hand items over by a queue. */
package moobench.threads;
