import { useEffect, useState } from 'react'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { ApiProblem } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { type FieldConflict, findFieldConflicts } from './field-conflicts.ts'
import { findChangedFields, type FormFields, mergeValues } from './three-way-merge.ts'
import {
  type ContractForm,
  type ContractFormOptions,
  type SubmitHandler,
  useContractForm,
} from './use-contract-form.ts'

/** A record that several users edit; the revision is null before its first change. */
type Versioned = { revision: number | null }

/** Saves the changed fields; resolves to the saved record, or to null when the form stays open for another reason. */
export type Save<Edited, Values, Change> = (change: Change, base: Edited, typed: Values) => Promise<Edited | null>

export type ConflictFormOptions<Edited, Values extends FieldValues, Field extends string, Change> = Pick<
  ContractFormOptions<Values>,
  'toInput' | 'failed' | 'explain' | 'required'
> & {
  /** The record as it is known. A newer revision is adopted as long as nothing is typed. */
  base: Edited
  fields: FormFields<Values, Field>
  toValues: (record: Edited) => Values
  /** Text of a field in the list of changes by others. */
  format: (record: Edited, field: Field) => string
  /** The contract's schema of a change, and the change from one state of the form to another. */
  schema: z.ZodType
  toChange: (before: Values, after: Values) => Change
  save: Save<Edited, Values, Change>
  /** Fetches the newest record after a conflict. */
  reload: () => Promise<Edited>
  /** Title of the toast after a save, unless `save` shows one of its own. */
  saved?: string
}

/** The props of `ConflictNotice` that the form knows; `id` differs for every conflict. */
export type Conflict<Field extends string> = {
  id: number | null
  conflicts: readonly FieldConflict<Field>[]
  takenFields: ReadonlySet<Field>
  onChoose: (field: Field, side: 'theirs' | 'mine') => void
}

type ConflictState<Values, Field extends string> = Pick<Conflict<Field>, 'conflicts' | 'takenFields'> & {
  /** The merged values, for fields that the user decides to keep. */
  mine: Values
}

export type ConflictForm<Edited, Values extends FieldValues, Field extends string, Change> = ContractForm<Values> & {
  /** The record the form is based on now. */
  base: Edited
  conflict: Conflict<Field> | null
  /** Returns a submit handler; `onSaved` also runs when nothing had to be saved. */
  submit: (onSaved?: () => void, save?: Save<Edited, Values, Change>) => SubmitHandler
  discard: () => void
}

/**
 * A form over a record that other users change too. Typed values are kept when saving fails, when the session has ended and
 * when another user saved first; that conflict is shown field by field. Where others changed nothing that the form shows,
 * the typed values are saved on the newest record without a question.
 */
export function useConflictForm<
  Edited extends Versioned,
  Values extends FieldValues,
  Field extends string,
  Change extends object,
>(options: ConflictFormOptions<Edited, Values, Field, Change>): ConflictForm<Edited, Values, Field, Change> {
  const { base: newest, fields, toValues, toChange, reload } = options
  const notify = useNotify()
  const [base, setBase] = useState(newest)
  const form = useContractForm<Values>({
    start: toValues(base),
    schema: options.schema,
    toBody: (typed) => toChange(toValues(base), typed),
    toInput: options.toInput,
    failed: options.failed,
    ...(options.required ? { required: options.required } : {}),
    ...(options.explain ? { explain: options.explain } : {}),
  })
  const { conflict, showConflict, clearConflict } = useConflict(options, form, base)
  const { isDirty, isSubmitting } = form.formState
  const isNewer = (newest.revision ?? -1) > (base.revision ?? -1)
  const isUntouched = !isDirty && !isSubmitting && !conflict
  useEffect(() => {
    if (isNewer && isUntouched) rebase(newest)
    // The functions are new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [newest, isNewer, isUntouched])

  function rebase(record: Edited): void {
    form.reset(toValues(record))
    setBase(record)
    clearConflict()
    form.clearSignedOut()
  }

  async function saveOrMerge(typed: Values, save: Save<Edited, Values, Change>): Promise<Edited | null> {
    const change = toChange(toValues(base), typed)
    try {
      return await save(change, base, typed)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'changed-meanwhile') throw error
      const latest = await reload()
      if (!showConflict(error, typed, latest)) return await save(change, latest, typed)
      setBase(latest)
      return null
    }
  }

  /** Returns whether the typed values are saved now, or there was nothing to save. */
  async function attempt(typed: Values, save: Save<Edited, Values, Change>): Promise<boolean> {
    if (findChangedFields(fields, toValues(base), typed).length === 0) {
      clearConflict()
      return true
    }
    try {
      const record = await saveOrMerge(typed, save)
      if (!record) return false
      rebase(record)
      if (options.saved) notify({ title: options.saved })
      return true
    } catch (error) {
      form.showFailure(error)
      return false
    }
  }

  return {
    ...form,
    base,
    conflict,
    submit: (onSaved, save = options.save) =>
      form.submitOnce(async (typed) => {
        if (await attempt(typed, save)) onSaved?.()
      }),
    discard: () => rebase(base),
  }
}

type ConflictOptions<Edited, Values, Field extends string> = {
  fields: FormFields<Values, Field>
  toValues: (record: Edited) => Values
  format: (record: Edited, field: Field) => string
}

/** Holds the conflict with other users: shows the merged values in the form, and applies what the user chooses. */
function useConflict<Edited extends Versioned, Values extends FieldValues, Field extends string>(
  { fields, toValues, format }: ConflictOptions<Edited, Values, Field>,
  form: ContractForm<Values>,
  base: Edited,
) {
  const [state, setState] = useState<ConflictState<Values, Field> | null>(null)

  function fill(names: readonly Field[], from: Values): void {
    for (const input of names.flatMap((field) => fields.inputs[field]))
      form.setValue(input as FieldPath<Values>, from[input] as FieldPathValue<Values, FieldPath<Values>>, {
        shouldDirty: true,
      })
  }

  /** Shows what others changed, on top of the newest record; returns false when the form shows none of it. */
  function showConflict(error: ApiProblem, typed: Values, latest: Edited): boolean {
    const merge = mergeValues(fields, { base: toValues(base), latest: toValues(latest), typed })
    const conflicts = findFieldConflicts({
      named: error.problem['changes'],
      merge,
      formatBefore: (field) => format(base, field),
      formatTheirs: (field) => format(latest, field),
      at: new Date().toISOString(),
    })
    if (conflicts.length === 0) return false
    form.reset(toValues(latest))
    fill(findChangedFields(fields, toValues(latest), merge.values), merge.values)
    setState({ conflicts, mine: merge.values, takenFields: new Set() })
    return true
  }

  function choose(field: Field, side: 'theirs' | 'mine'): void {
    if (!state) return
    fill([field], side === 'theirs' ? toValues(base) : state.mine)
    const takenFields = new Set(state.takenFields)
    if (side === 'theirs') takenFields.add(field)
    else takenFields.delete(field)
    setState({ ...state, takenFields })
  }

  const conflict: Conflict<Field> | null = state && {
    id: base.revision,
    conflicts: state.conflicts,
    takenFields: state.takenFields,
    onChoose: choose,
  }
  return { conflict, showConflict, clearConflict: () => setState(null) }
}
