import { describe, expect, it } from 'vitest'
import { isCurrentEntry, mainEntries, settingsEntries } from '#web/shell/navigation-entries.ts'

const findCurrent = (path: string) =>
  [...mainEntries, ...settingsEntries].filter((entry) => isCurrentEntry(entry, path)).map(({ label }) => label)

describe('the entries of the sidebar', () => {
  it.each([
    ['/', ['Dashboard']],
    ['/dashboard', ['Dashboard']],
    ['/patients', ['Patients']],
    ['/patients/import', ['Patients']],
    ['/patientsx', []],
    ['/manage-subscription', ['Subscription']],
    ['/subscription', ['Subscription']],
    ['/under-development', []],
  ])('marks the current one at %s', (path, labels) => {
    expect(findCurrent(path)).toEqual(labels)
  })
})
