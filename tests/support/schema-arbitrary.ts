import fc from 'fast-check'
import { z } from 'zod'

const text = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.constant('null'), fc.constant('$phi'))

/** Returns random values that match an event schema, with every kind of text. */
export function arbitraryFromSchema(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as string[]))
  if (schema instanceof z.ZodNullable)
    return fc.option(arbitraryFromSchema(schema.unwrap() as z.ZodType), { nil: null })
  if (schema instanceof z.ZodOptional) return arbitraryFromSchema(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return fc.array(arbitraryFromSchema(schema.element as z.ZodType), { maxLength: 4 })
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber) return fc.nat()
  if (schema instanceof z.ZodUUID) return fc.uuid()
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>)
    const requiredKeys = shape.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([key]) => key)
    return fc.record(Object.fromEntries(shape.map(([key, field]) => [key, arbitraryFromSchema(field)])), {
      requiredKeys,
    })
  }
  return text
}
