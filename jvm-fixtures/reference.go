package jvmfixtures

// ReferenceVersion is the version of the work whose time shows the CPU's speed
// (kernel/src/main/java/moobench/kernel/Reference.java, which has it as well). Times of different versions are
// never compared: every change of that code needs a new version.
const ReferenceVersion = "1"
