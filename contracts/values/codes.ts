import { z } from 'zod'

/**
 * A code of ICD-10-CM, the classification of diagnoses: a letter, two characters, and up to four more after a dot.
 * https://www.cdc.gov/nchs/icd/icd-10-cm/
 */
export const DiagnosisCode = z
  .string({ error: 'Please enter a code' })
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]\d[\dA-Z](?:\.[\dA-Z]{1,4})?$/, 'Please enter ICD-10-CM codes such as E11.9')

/** A code of a procedure as the practice bills it: five digits or letters, with a modifier such as 99213-25. */
export const ProcedureCode = z
  .string({ error: 'Please enter a code' })
  .trim()
  .toUpperCase()
  .regex(/^[\dA-Z]{5}(?:-[\dA-Z]{2})?$/, 'Please enter codes of five characters such as 99213')

/** A few codes, without repetitions. */
export const codes = <Code extends z.ZodType<string>>(code: Code) =>
  z
    .array(code)
    .max(50, 'At most 50 codes')
    .transform((all) => [...new Set(all)])
