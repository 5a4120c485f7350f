import { describe, expect, it } from 'vitest'
import type { RecordRow } from '#web/entities/records/record-kind.ts'
import { mergeRecords } from '#web/features/automation/chart/merge-records.ts'

const row = (id: string, day: number): RecordRow => ({
  id,
  createdAt: `2026-11-0${day}T10:00:00.000Z`,
  updatedAt: '2026-11-09T10:00:00.000Z',
  revision: 1,
})
const loaded = (place: string, items: readonly RecordRow[], total = items.length) => ({
  place,
  page: { data: { items, total }, error: null, refetch: () => undefined },
})

describe('lists of records', () => {
  const calls = loaded('calls', [row('b', 4), row('d', 2)], 60)
  const referrals = loaded('referrals', [row('a', 5), row('c', 3)])

  it('are merged, newest first', () => {
    const { data, error } = mergeRecords([calls, referrals], Infinity)
    expect(data?.items.map(({ place, row: { id } }) => `${place} ${id}`)).toEqual([
      'referrals a',
      'calls b',
      'referrals c',
      'calls d',
    ])
    expect([data?.total, error]).toEqual([62, null])
  })

  it('are cut off at a number, and count all', () => {
    const { data } = mergeRecords([calls, referrals], 1)
    expect([data?.items.map(({ row: { id } }) => id), data?.total]).toEqual([['a'], 62])
  })

  it('show nothing before all are loaded, and say which one failed', () => {
    expect(mergeRecords([calls, { place: 'documents', page: undefined }], 5).data).toBeUndefined()
    const refetched: string[] = []
    const failure = new Error('Not now')
    const refetch = () => refetched.push('documents')
    const failed = { place: 'documents', page: { data: undefined, error: failure, refetch } }
    const merged = mergeRecords([calls, failed], 5)
    expect([merged.data, merged.error]).toEqual([undefined, failure])
    merged.refetch()
    expect(refetched).toEqual(['documents'])
  })

  it('keep what was loaded while a later request fails', () => {
    const stale = { ...calls, page: { ...calls.page, error: new Error('Not now') } }
    expect(mergeRecords([stale], 5)).toMatchObject({ data: { total: 60 }, error: null })
  })
})
