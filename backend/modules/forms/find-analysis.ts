import { setTimeout as sleep } from 'node:timers/promises'
import type { Form, FormAnalysis, FormAnalysisRunning } from '#contracts/forms.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import type { FormId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import { formDecider } from './decider.ts'
import { findForm } from './queries.ts'

/** Milliseconds for which a request waits for an analysis (product.md 6). */
const maxWaitMs = 10_000
const pollIntervalMs = 100

/**
 * Returns the analysis of the present answers of a form. Without one, requests it for callers with `clinical:write` and waits up
 * to ten seconds; then returns its state. Throws 404 for a form of another practice.
 */
export async function findAnalysis(
  services: Services,
  caller: Member,
  formId: FormId,
  context: CommandContext,
): Promise<FormAnalysis | FormAnalysisRunning> {
  const { bus } = services
  const { practiceId } = caller
  const find = async (): Promise<Form> => {
    const form = await findForm(services, recordScope(caller), formId)
    if (!form) throw notFound('form')
    return form
  }
  const before = await find()
  const present = findPresent(before)
  if (present) return present
  const isRequested = hasPermission(caller, 'clinical:write')
  if (isRequested) await bus.execute(formDecider, formId, { type: 'RequestAnalysis', practiceId }, context)
  else if (before.analysisState !== 'running') return before.aiAnalysis ?? { state: toState(before) }
  const end = performance.now() + maxWaitMs
  for (;;) {
    const form = await find()
    const analysis = findPresent(form)
    if (analysis) return analysis
    if (performance.now() > end || form.analysisState === 'failed') return { state: toState(form) }
    await sleep(pollIntervalMs)
  }
}

const findPresent = ({ aiAnalysis }: Form) => (aiAnalysis && !aiAnalysis.isStale ? aiAnalysis : undefined)

const toState = ({ analysisState }: Form): FormAnalysisRunning['state'] =>
  analysisState === 'complete' ? 'none' : analysisState
