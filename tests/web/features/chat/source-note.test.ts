import { expect, it } from 'vitest'
import { describeSource } from '#web/features/chat/source-note.ts'

it('names the model only where one is connected', () => {
  expect(describeSource(null)).toBe("Powered by rules on your practice's data")
  expect(describeSource('gpt-5')).toBe('Powered by rules and the AI model gpt-5. Names and contact data stay here.')
})
