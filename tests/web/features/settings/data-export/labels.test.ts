import { describe, expect, it } from 'vitest'
import type { DataExport } from '#contracts/data-exports.ts'
import { DataExportId } from '#contracts/values/ids.ts'
import { formatDateTimeIn } from '#web/entities/practices/practice-time.ts'
import { ApiProblem } from '#web/api/call.ts'
import {
  describeDownload,
  describeDownloadFailure,
  describeState,
  formatBytes,
  getBadge,
} from '#web/features/settings/data-export/labels.ts'

const formatInstant = (instant: string) => formatDateTimeIn('UTC', instant, new Date('2031-03-05T12:00:00Z'))
const ready: DataExport = {
  id: DataExportId.parse('00000003-0000-4000-8000-000000000001'),
  state: 'ready',
  requestedBy: 'Ada Okafor',
  requestedAt: '2031-03-05T11:00:00.000Z',
  expiresAt: '2031-03-09T11:00:00.000Z',
  bytes: 12_345,
  counts: { patients: 1_000, appointments: 234, waitlistEntries: 1, providers: 2, members: 3 },
  failure: null,
  isReplaced: false,
  lastDownload: null,
}

it('formats sizes, also next to a limit', () => {
  const sizes = [1, 999, 1_000, 999_499, 999_500, 1_449_000, 999_949_999, 999_950_000]
  expect(sizes.map(formatBytes)).toEqual([
    '1 byte',
    '999 bytes',
    '1 kB',
    '999 kB',
    '1.0 MB',
    '1.4 MB',
    '999.9 MB',
    '1.0 GB',
  ])
})

describe('an export', () => {
  it('shows its size and until when it is available', () => {
    expect(describeState(ready, formatInstant)).toBe('12 kB, 1,240 records. Available until Mar 9, 2031, 11:00 AM')
  })

  it('says why it has expired', () => {
    const replaced = { ...ready, state: 'expired', isReplaced: true } as const
    expect(describeState(replaced, formatInstant)).toBe('12 kB, 1,240 records. Replaced by a newer export')
    // Also when its own time is over.
    expect(describeState({ ...replaced, expiresAt: '2031-03-04T11:00:00.000Z' }, formatInstant)).toContain('Replaced')
    expect([replaced, { ...replaced, isReplaced: false }, ready].map((each) => getBadge(each).label)).toEqual([
      'Replaced',
      'Expired',
      'Ready',
    ])
    const over = { ...ready, state: 'expired', expiresAt: '2031-03-04T11:00:00.000Z' } as const
    expect(describeState(over, formatInstant)).toBe('12 kB, 1,240 records. Expired Mar 4, 2031, 11:00 AM')
  })

  it('says why it failed', () => {
    const failed = { ...ready, state: 'failed', counts: null, bytes: null, expiresAt: null } as const
    expect(describeState({ ...failed, failure: 'no-more-tries' }, formatInstant)).toContain('try again')
    expect(describeState({ ...failed, failure: 'too-large' }, formatInstant)).toContain('larger than 4 GB')
  })

  it('says why it cannot be downloaded', () => {
    const describeStatus = (status: number, retryAfter: number | null = null) =>
      describeDownloadFailure(
        new ApiProblem(
          { type: '', title: '', status, code: 'unreadable', message: 'Everchart cannot be reached.', errors: [] },
          retryAfter,
        ),
      )
    expect([0, 401, 403, 409, 503].map((status) => describeStatus(status))).toEqual([
      'Everchart cannot be reached.',
      'You were signed out. Sign in, then download the file again.',
      'Only the owner and administrators can download it.',
      'It can no longer be downloaded. Please request a new export.',
      'Everchart is not available right now. Please try again in a moment.',
    ])
    expect(describeStatus(429, 840)).toBe('Too many downloads. Please try again in 14 minutes.')
  })

  it('shows its last download', () => {
    expect(describeDownload(ready, formatInstant)).toBeNull()
    const lastDownload = { at: '2031-03-01T11:00:00.000Z', by: 'Kim Reyes' }
    expect(describeDownload({ ...ready, lastDownload }, formatInstant)).toBe(
      'Last downloaded Mar 1, 2031, 11:00 AM, by Kim Reyes',
    )
    expect(describeDownload({ ...ready, lastDownload: { ...lastDownload, by: null } }, formatInstant)).not.toContain(
      'by',
    )
  })
})
