/** The fields of a record, each with the form inputs in which it is typed, and the form's content for comparison. */
export type FormFields<Values, Field extends string> = {
  inputs: Readonly<Record<Field, readonly (keyof Values & string)[]>>
  /** Returns the values without what makes no difference when saved, such as blank lines. */
  normalize: (values: Values) => Readonly<Record<keyof Values & string, unknown>>
}

/** Three states of one form: as it was opened, as the newest record has it, and as typed. */
export type MergeSides<Values> = { base: Values; latest: Values; typed: Values }

export type Merge<Values, Field extends string> = {
  /** The newest record with every field that was typed here. */
  values: Values
  /** Fields that others changed. */
  changedByOthers: Field[]
  /** Fields that both sides changed to different values: the user decides. */
  contested: Field[]
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the fields in which two states of a form differ. */
export function findChangedFields<Values, Field extends string>(
  { inputs, normalize }: FormFields<Values, Field>,
  before: Values,
  after: Values,
): Field[] {
  const [was, is] = [normalize(before), normalize(after)]
  return (Object.keys(inputs) as Field[]).filter((field) =>
    inputs[field].some((input) => !isEqual(was[input], is[input])),
  )
}

/** Returns the values with one field, in all its inputs, taken from another state. */
export const replaceField = <Values, Field extends string>(
  { inputs }: Pick<FormFields<Values, Field>, 'inputs'>,
  values: Values,
  field: Field,
  from: Values,
): Values => ({ ...values, ...Object.fromEntries(inputs[field].map((input) => [input, from[input]])) })

/**
 * Merges what was typed with the newest record, field by field. A field changed on one side only is taken from that side;
 * where both sides changed it, the typed value stays until the user decides otherwise.
 */
export function mergeValues<Values, Field extends string>(
  fields: FormFields<Values, Field>,
  { base, latest, typed }: MergeSides<Values>,
): Merge<Values, Field> {
  const mine = findChangedFields(fields, base, typed)
  const changedByOthers = findChangedFields(fields, base, latest)
  const differing = new Set(findChangedFields(fields, latest, typed))
  return {
    values: mine.reduce((values, field) => replaceField(fields, values, field, typed), latest),
    changedByOthers,
    contested: changedByOthers.filter((field) => mine.includes(field) && differing.has(field)),
  }
}
