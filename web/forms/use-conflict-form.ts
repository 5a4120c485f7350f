import { toNestErrors } from '@hookform/resolvers'
import { useEffect, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import type { FieldConflict } from './conflict-notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'

/** The fields of a form as they stand in it. */
export type FormValues = Record<string, string>
/** A record as it was at one moment, and the revision that names that moment; null before the first change. */
export type RecordSnapshot = { values: FormValues; revision: number | null }

/** The fields that differ between two states, in their order. */
export const findChangedFields = (from: FormValues, to: FormValues): string[] =>
  Object.keys(to).filter((field) => from[field] !== to[field])

const Changes = z.array(z.object({ field: z.string(), by: z.string().nullable(), at: z.string() }))
type Change = z.infer<typeof Changes>[number]

/**
 * What others changed: as the server names it in the problem `changed-meanwhile`, else what differs between the state this
 * form began with and the newest. `at` is an ISO instant.
 */
export function findFieldConflicts(
  named: unknown,
  { base, latest, typed, at }: { base: FormValues; latest: FormValues; typed: FormValues; at: string },
): FieldConflict<string>[] {
  const changed = new Set(findChangedFields(base, latest))
  const known = Changes.safeParse(named)
  const changes: readonly Change[] = known.success
    ? known.data.filter(({ field }) => changed.has(field))
    : [...changed].map((field) => ({ field, by: null, at }))
  return changes.map(({ field, by, at: when }) => ({
    field,
    before: base[field] ?? '',
    theirs: latest[field] ?? '',
    by,
    at: when,
    isContested: typed[field] !== base[field] && typed[field] !== latest[field],
  }))
}

type FlatForm = {
  /** The record as it is known by now; taken over as long as nothing is typed. */
  latest: RecordSnapshot
  /** The contract's schema of what is sent, and what is sent for the fields that changed. */
  schema: z.ZodType
  bodyOf: (changed: FormValues) => unknown
  save: (changed: FormValues, revision: number | null) => Promise<RecordSnapshot>
  /** The record anew, after somebody else was faster. */
  reload: () => Promise<RecordSnapshot>
  /** Title of the toasts: when it was saved, and when it was not. */
  saved: string
  failed: string
}

/** Each fault beside the field it was typed in: the last part of its path is the field's name. */
const createResolver =
  (base: FormValues, { schema, bodyOf }: Pick<FlatForm, 'schema' | 'bodyOf'>): Resolver<FormValues> =>
  (values, _, options) => {
    const checked = schema.safeParse(bodyOf(pickChangedValues(base, values)))
    if (checked.success) return { values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, message, code } of checked.error.issues) errors[String(path.at(-1))] ??= { type: code, message }
    return { values: {}, errors: toNestErrors<FormValues>(errors, options) }
  }

const pickChangedValues = (base: FormValues, values: FormValues): FormValues =>
  Object.fromEntries(findChangedFields(base, values).map((field) => [field, values[field] ?? '']))

/**
 * A form of plain fields over a record that others change too. What was typed is kept whatever happens: when it cannot be
 * saved, when the session has ended, and when somebody else was faster, which is told field by field.
 */
export function useConflictForm(options: FlatForm) {
  const { latest, save, reload, saved, failed } = options
  const notify = useNotify()
  const [base, setBase] = useState(latest)
  const [conflict, setConflict] = useState<{ overtaken: FieldConflict<string>[]; mine: FormValues } | null>(null)
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const [signedOut, setSignedOut] = useState(false)
  const form = useForm<FormValues>({ defaultValues: base.values, resolver: createResolver(base.values, options) })
  const { isDirty, isSubmitting } = form.formState
  const { reset } = form

  // A colleague's change is taken over as long as nothing is typed here.
  const newer = (latest.revision ?? -1) > (base.revision ?? -1)
  if (newer && !isDirty && !isSubmitting && !conflict) setBase(latest)
  useEffect(() => {
    if (!isDirty) reset(base.values)
  }, [base, isDirty, reset])

  function settle(record: RecordSnapshot): void {
    reset(record.values)
    setBase(record)
    setConflict(null)
    setSignedOut(false)
    notify({ title: saved })
  }

  /** Answers whether a person has to look; false when what others changed is nothing this form shows. */
  function meet(error: ApiProblem, typed: FormValues, now: RecordSnapshot): boolean {
    const sides = { base: base.values, latest: now.values, typed, at: new Date().toISOString() }
    const overtaken = findFieldConflicts(error.problem['changes'], sides)
    if (overtaken.length === 0) return false
    const mine = { ...now.values, ...pickChangedValues(base.values, typed) }
    reset(now.values)
    for (const field of findChangedFields(now.values, mine))
      form.setValue(field, mine[field] ?? '', { shouldDirty: true })
    setConflict({ overtaken, mine })
    setTaken(new Set())
    setBase(now)
    return true
  }

  function showFailure(error: unknown): void {
    setSignedOut(error instanceof ApiProblem && error.status === 401)
    const faults = error instanceof ApiProblem ? error.problem.errors : []
    for (const [index, { path, message }] of faults.entries())
      form.setError(path.split('.').at(-1) ?? path, { type: 'server', message }, { shouldFocus: index === 0 })
    notify({ title: failed, body: errorMessage(error), intent: 'error' })
  }

  async function overtaken(error: ApiProblem, typed: FormValues): Promise<RecordSnapshot | null> {
    const now = await reload()
    return meet(error, typed, now) ? null : await save(pickChangedValues(base.values, typed), now.revision)
  }

  /** Answers whether it is saved, or nothing was to be saved. */
  async function attempt(typed: FormValues): Promise<boolean> {
    const changed = pickChangedValues(base.values, typed)
    if (Object.keys(changed).length === 0) {
      setConflict(null)
      return true
    }
    try {
      settle(await save(changed, base.revision))
      return true
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'changed-meanwhile') showFailure(error)
      else {
        const record = await overtaken(error, typed).catch(showFailure)
        if (record) settle(record)
        return Boolean(record)
      }
      return false
    }
  }

  function choose(field: string, whose: 'theirs' | 'mine'): void {
    if (!conflict) return
    form.setValue(field, (whose === 'theirs' ? base.values : conflict.mine)[field] ?? '', { shouldDirty: true })
    setTaken((before) => {
      const next = new Set(before)
      if (whose === 'theirs') next.add(field)
      else next.delete(field)
      return next
    })
  }

  function discard(): void {
    reset(base.values)
    setConflict(null)
    setSignedOut(false)
  }

  return {
    control: form.control,
    dirty: isDirty,
    saving: isSubmitting,
    signedOut,
    /** What others changed meanwhile, for `MeanwhileNotice`; null when nothing has to be decided. */
    conflict: conflict && { key: base.revision, overtaken: conflict.overtaken, taken, onChoose: choose },
    /** What happens after a save that worked is the caller's, as the dialog that closes. */
    submit: (after?: () => void) => form.handleSubmit(async (typed) => void ((await attempt(typed)) && after?.())),
    discard,
  }
}
