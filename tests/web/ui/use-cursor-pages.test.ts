import { expect, it } from 'vitest'
import { parseNextCursor } from '#web/ui/use-cursor-pages.ts'

it('finds the cursor of the next page', () => {
  expect(parseNextCursor('/api/forms?type=intake&cursor=a%2Bb%3D&limit=25')).toBe('a+b=')
  expect(parseNextCursor('/api/forms')).toBe(null)
  expect(parseNextCursor(null)).toBe(null)
})
