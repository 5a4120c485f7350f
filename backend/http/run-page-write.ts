import type { Context } from 'koa'
import type { CommandContext } from '#eventstore/command.ts'
import type { Deadline } from '#runtime/deadline.ts'
import type { RunWrite } from './run-write.ts'

/** Runs what a page of a visitor changes, with the deadline and the truthful outcome of every request that may write. */
export async function runPageWrite(ctx: Context, run: (context: CommandContext) => Promise<unknown>): Promise<void> {
  const { correlationId, deadline, runWrite } = ctx.state as State
  const context = { practiceId: null, actor: { kind: 'process', name: 'visitor' }, correlationId } as const
  await runWrite({ keyed: null, isReplyKept: false, deadline }, async () => {
    await run(context)
    return 'null'
  })
}

type State = { correlationId: string; deadline: Deadline; runWrite: RunWrite }
