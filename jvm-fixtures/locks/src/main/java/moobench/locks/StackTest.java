package moobench.locks;

import java.util.Stack;

/** M8: operations of the standard library's stack, whose own methods are synchronized too. It grows by one element with each call. */
final class StackTest implements Micro {
    private static final int PUSHED = 8;

    private final Stack<Integer> stack = new Stack<>();
    private long sum;

    @Override
    public void execute(int i) {
        pushAndPop();
    }

    synchronized void pushAndPop() {
        for (int i = 0; i < PUSHED; i++) {
            stack.push(i);
        }
        sum += stack.search(0) + stack.peek(); // 8 and 7
        for (int i = 1; i < PUSHED; i++) {
            sum += stack.pop();
        }
    }

    @Override
    public void check(int executions) {
        Micro.expect("the stack's size", stack.size(), executions);
        Micro.expect("the sum of what was popped and found", sum, executions * (8L + 7 + 28));
    }
}
