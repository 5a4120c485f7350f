/**
 * Returns the inputs that change when something else is proposed: those with what was proposed before, or with nothing. What the user
 * typed stays.
 */
export const proposeValues = <Field extends string>(
  typed: Readonly<Partial<Record<NoInfer<Field>, string>>>,
  before: Readonly<Record<NoInfer<Field>, string>>,
  next: Readonly<Record<Field, string>>,
): readonly (readonly [field: Field, value: string])[] =>
  (Object.keys(next) as Field[]).flatMap((field) => {
    const value = typed[field] ?? ''
    return (value === '' || value === before[field]) && value !== next[field] ? [[field, next[field]] as const] : []
  })
