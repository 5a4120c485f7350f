/**
 * Returns the processor time that this thread spends on a task, in milliseconds. Unlike the time on the clock it does not
 * grow while other programs keep the processor busy. A task must not leave work to other threads.
 */
export async function measureThreadCpuMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Returns the processor time of all threads of the process during a task, in milliseconds: for work such as password
 * hashing, which runs in Node's thread pool. Other work in the process counts too.
 */
export async function measureProcessCpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
