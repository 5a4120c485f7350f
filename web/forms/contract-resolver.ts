import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/** The request body of the typed values, its schema, and the inputs that show its errors. */
export type ContractCheck<Values> = {
  schema: z.ZodType
  toBody: (values: Values) => unknown
  /** Maps a path of the contract, such as `medications.1.name`, to the input in which it was typed. */
  toInput: (path: string, values: Values) => string
  /** Inputs that must not be empty, with the message for each. */
  required?: readonly (readonly [input: keyof Values & string, message: string])[]
}

/** Checks the request against the contract and puts each error at the input in which it was typed. */
export const createContractResolver =
  <Values extends FieldValues>({ schema, toBody, toInput, required = [] }: ContractCheck<Values>): Resolver<Values> =>
  (values, _, options) => {
    const errors: Record<string, { type: string; message: string }> = {}
    for (const [input, message] of required) if (!values[input]) errors[input] = { type: 'missing', message }
    const { error } = schema.safeParse(toBody(values))
    for (const { path, message, code } of error?.issues ?? [])
      errors[path.length === 0 ? 'root' : toInput(path.join('.'), values)] ??= { type: code, message }
    return Object.keys(errors).length === 0
      ? { values, errors: {} }
      : { values: {}, errors: toNestErrors<Values>(errors as FieldErrors, options) }
  }
