import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Patient } from '#contracts/patients.ts'
import { insertByName, type PatientsPage } from '#web/features/patients/list/insert-by-name.ts'

const patient = (lastName: string, firstName = 'Grace') =>
  ({ id: `${lastName} ${firstName}`, firstName, lastName }) as unknown as Patient
const page = (lastNames: readonly string[], next: string | null = null): PatientsPage => ({
  items: lastNames.map((name) => patient(name)),
  total: 40,
  next,
})
const namesAfter = (shown: PatientsPage, added: Patient, number = 1, size = 3) =>
  insertByName(shown, added, { number, size }).items.map(({ lastName }) => lastName)

describe('a patient who was added', () => {
  it('comes where the name belongs, whatever its case and accents', () => {
    expect(namesAfter(page(['Abel', 'Curie']), patient('Borg'))).toEqual(['Abel', 'Borg', 'Curie'])
    expect(namesAfter(page(['Abel', 'Curie']), patient('Åberg'))).toEqual(['Abel', 'Åberg', 'Curie'])
    expect(namesAfter(page(['Abel', 'Curie']), patient('curie', 'ada'))).toEqual(['Abel', 'curie', 'Curie'])
    expect(namesAfter(page([]), patient('Borg'))).toEqual(['Borg'])
  })

  it('moves the last one of a full page to the next', () => {
    expect(namesAfter(page(['Abel', 'Curie', 'Dirac'], '/next'), patient('Borg'))).toEqual(['Abel', 'Borg', 'Curie'])
    expect(insertByName(page(['Abel']), patient('Borg'), { number: 1, size: 3 }).total).toBe(41)
  })

  it('is not shown on a page before or after the own one, and not twice', () => {
    const shown = page(['Borg', 'Curie', 'Dirac'], '/next')
    for (const [added, number] of [
      [patient('Euler'), 1],
      [patient('Abel'), 2],
      [patient('Curie'), 1],
    ] as const)
      expect(insertByName(shown, added, { number, size: 3 })).toBe(shown)
  })

  it('leaves the others in their order, and no page longer than it may be', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 6 })
    fc.assert(
      fc.property(names, fc.string({ minLength: 1, maxLength: 8 }), (lastNames, added) => {
        const shown = page(lastNames)
        const after = namesAfter(shown, patient(added, 'Ada'), 1, 6)
        expect(after.length).toBeLessThanOrEqual(6)
        const others = insertByName(shown, patient(added, 'Ada'), { number: 1, size: 6 }).items.filter(
          ({ firstName }) => firstName !== 'Ada',
        )
        expect(others).toEqual(shown.items.slice(0, others.length))
      }),
    )
  })
})
