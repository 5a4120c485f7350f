import { type FormFields, findChangedFields } from './three-way-merge.ts'

/** A form of plain texts, each input a field of its own. */
export type TextValues = Record<string, string>

const describeFields = (values: TextValues): FormFields<TextValues, string> => ({
  inputs: Object.fromEntries(Object.keys(values).map((name) => [name, [name]])),
  normalize: (value) => value,
})

/** Returns the texts that differ from those the form began with. */
export const pickChangedTexts = (before: TextValues, after: TextValues): TextValues =>
  Object.fromEntries(findChangedFields(describeFields(before), before, after).map((name) => [name, after[name] ?? '']))

/** Describes a record to `useConflictForm` whose fields are plain texts; inputs are named like the contract's fields. */
export const describeTextRecord = <Edited>(base: Edited, toValues: (record: Edited) => TextValues) => ({
  base,
  fields: describeFields(toValues(base)),
  toValues,
  format: (record: Edited, field: string) => toValues(record)[field] ?? '',
  toInput: (path: string) => path.slice(path.lastIndexOf('.') + 1),
})
