/**
 * The micro benchmarks of Shah and Guyer 2018 (Iceberg): methods that hold a lock, some of them now and then for much longer
 * than usual. The paper names and describes them in its section 3.4, and has times of nine in its Table 1. Their code is ours.
 *
 * <table>
 *   <caption>Programs</caption>
 *   <tr><th>program</th><th>paper</th><th>what holds the lock</th></tr>
 *   <tr><td>arithmetic</td><td>M1</td><td>{@link moobench.locks.ArithmeticTest#calculate()}</td></tr>
 *   <tr><td>append_to_list</td><td>M2</td><td>{@link moobench.locks.AppendToList#append()}</td></tr>
 *   <tr><td>hashmap</td><td>M3</td><td>{@link moobench.locks.HashmapTest#append(int, int)}</td></tr>
 *   <tr><td>allocation</td><td>M4</td><td>{@link moobench.locks.AllocationTest#remove()}</td></tr>
 *   <tr><td>string</td><td>M5</td><td>{@link moobench.locks.StringTest#append()}</td></tr>
 *   <tr><td>sort_linked_list</td><td>M6</td><td>{@link moobench.locks.SortLinkedListTest#sort(int)}</td></tr>
 *   <tr><td>sort_array_list</td><td>M7</td><td>{@link moobench.locks.SortArrayListTest#sort(int)}</td></tr>
 *   <tr><td>stack</td><td>M8</td><td>{@link moobench.locks.StackTest#pushAndPop()}</td></tr>
 *   <tr><td>array_data_locality</td><td>M9</td><td>{@link moobench.locks.ArrayDataLocalityTest#increment()}</td></tr>
 *   <tr><td>array_list_of_array_list</td><td>M10</td><td>{@link moobench.locks.ArrayListOfArraylistTest#increment()}</td></tr>
 *   <tr><td>random_fast_slow</td><td>M11</td><td>{@link moobench.locks.RandomFastSlowTest#fastPath()}, {@link moobench.locks.RandomFastSlowTest#slowPath()}</td></tr>
 *   <tr><td>nested_synchronized</td><td>M12</td><td>{@link moobench.locks.NestedSynchronizedClassesTest#outer()} and what it calls</td></tr>
 *   <tr><td>growing_integer_list</td><td>M13</td><td>{@link moobench.locks.GrowingIntegerListTest#grow()}</td></tr>
 *   <tr><td>sort_random_list</td><td>M14</td><td>{@link moobench.locks.SortRandomListTest#generateAndSortRandomLists(int)}</td></tr>
 *   <tr><td>network_reachable</td><td>M15</td><td>{@link moobench.locks.NetworkIPReachableTest#getHost()}</td></tr>
 *   <tr><td>contended</td><td>none</td><td>{@link moobench.locks.ContendedTest#work()}, which threads contend for (behaviour B)</td></tr>
 * </table>
 */
package moobench.locks;
