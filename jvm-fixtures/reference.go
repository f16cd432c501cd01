package jvmfixtures

// ReferenceVersion is the version of the work whose time shows how fast the CPU is
// (kernel/src/main/java/moobench/kernel/Reference.java, which has it as well). Times of two
// versions are never compared: a change of that code gives it another one.
const ReferenceVersion = "1"
