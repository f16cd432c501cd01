/** The fixture that calls one method over and over, as MooBench does: recursion to a depth, then a busy wait. */
package moobench.calls;
