import { describe, expect, it } from 'vitest'
import { change, decideAfter } from '#tests/modules/records/nouns/decide-after.ts'

describe('a message', () => {
  it('keeps its text', () => {
    expect(decideAfter('message', 0, change({ messageContent: 'Other' }))).toBe('already-sent')
    expect(decideAfter('message', 0, change({ priority: 'low' }))).toEqual(['PatientCommunicationChanged'])
  })
})
