import { describe, expect, it } from 'vitest'
import { line, optionalLine, text } from '#contracts/values/text.ts'

describe('a text', () => {
  it.each([
    ['spaces', '  \t '],
    ['zero-width spaces', '\u200B\u200B'],
    ['joiners and direction marks', '\u200D\u200F\u2060'],
    ['fillers', '\u3164\u115F\u2800'],
    ['a soft hyphen and variation selectors', '\u00AD\uFE0F'],
  ])('is empty when it contains %s alone', (_, value) => {
    expect(text(100).parse(value)).toBe('')
    expect(line(100).parse(value)).toBe('')
    expect(optionalLine(100).parse(value)).toBeNull()
  })

  it('keeps invisible characters inside names, which join or separate letters', () => {
    expect(line(100).parse(' می\u200Cخواهم ')).toBe('می\u200Cخواهم')
    expect(line(100).parse('👩\u200D⚕️')).toBe('👩\u200D⚕️')
  })
})
