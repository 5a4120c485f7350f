import { startWireServer } from '#tests/support/wire/server.ts'

// The test server of EventStoreDB in a process of its own, which ends with its parent.
const { url } = await startWireServer()
process.on('disconnect', () => process.exit())
process.send?.(url)
