import type { EverchartProcess } from '#tests/support/everchart-process.ts'

/** The memory of a process in MiB, after a garbage collection. `live` is the heap and the buffers in use. */
export type Memory = { live: number; rss: number }

/** Settings with which a process accepts a debugger, which can collect its garbage. */
export const inspectorSettings = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const toMiB = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** Measures a process that was started with `inspectorSettings`. */
export async function measureMemory(instance: EverchartProcess): Promise<Memory> {
  const address = /Debugger listening on (ws:\S+)/.exec(instance.output())?.[1]
  if (!address) throw new Error('The process does not accept a debugger')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  try {
    await call(socket, 1, 'HeapProfiler.collectGarbage')
    const expression = 'JSON.stringify(process.memoryUsage())'
    const { result } = (await call(socket, 2, 'Runtime.evaluate', { expression })) as { result: { value: string } }
    const { heapUsed, external, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage
    return { live: toMiB(heapUsed + external), rss: toMiB(rss) }
  } finally {
    socket.close()
  }
}

/** Calls a method of the Chrome DevTools protocol. */
const call = (socket: WebSocket, id: number, method: string, params: object = {}) =>
  new Promise<unknown>((resolve) => {
    const listen = ({ data }: MessageEvent) => {
      const reply = JSON.parse(String(data)) as { id?: number; result: unknown }
      if (reply.id !== id) return
      socket.removeEventListener('message', listen)
      resolve(reply.result)
    }
    socket.addEventListener('message', listen)
    socket.send(JSON.stringify({ id, method, params }))
  })
