import type { RunWrite } from '#http/run-write.ts'

/** Runs the handlers of an HTTP application without a database: neither tracked nor limited in time. */
export const runUntracked: RunWrite = async (_, handle) => ({ reply: await handle(), isReplayed: false })
