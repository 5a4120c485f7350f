import { expect, it } from 'vitest'
import { shareItems } from '#web/api/share-items.ts'

const grace = { id: 'a', name: 'Grace' }
const alan = { id: 'b', name: 'Alan' }
const before = { items: [grace, alan], total: 2, next: null }

it('keeps the items that have not changed, wherever they are now', () => {
  const ada = { id: 'c', name: 'Ada' }
  const after = shareItems(before, { items: [ada, { ...grace }, { ...alan }], total: 3, next: null }) as typeof before
  expect(after).toEqual({ items: [ada, grace, alan], total: 3, next: null })
  expect(after.items[1]).toBe(grace)
  expect(after.items[2]).toBe(alan)
})

it('takes those that have changed, and leaves out those that are gone', () => {
  const renamed = { id: 'b', name: 'Alan T.' }
  const after = shareItems(before, { items: [renamed], total: 1, next: null }) as typeof before
  expect(after).toEqual({ items: [renamed], total: 1, next: null })
})

it('is the same page when nothing has changed', () => {
  expect(shareItems(before, { items: [{ ...grace }, { ...alan }], total: 2, next: null })).toBe(before)
})

it('takes the first page as it is', () => {
  expect(shareItems(undefined, before)).toBe(before)
})
