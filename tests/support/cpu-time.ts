/**
 * Returns the CPU time that this thread spends on a task, in milliseconds. Unlike wall-clock time it does not grow while
 * other programs use the CPU. The task must not use other threads.
 */
export async function measureThreadCpuMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Returns the CPU time of all threads of the process, in milliseconds: for work such as password hashing, which Node runs
 * on its thread pool. Everything else that runs in the process counts too.
 */
export async function measureProcessCpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
