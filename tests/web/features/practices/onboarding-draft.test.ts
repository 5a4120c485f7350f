import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Practice } from '#contracts/practices.ts'
import { type Draft, deleteDraft, saveDraft, resumeDraft } from '#web/features/practices/onboarding-draft.ts'

const user = { id: 'user-1', email: 'ada@harbor.example' }
const details = {
  name: 'Harbor Clinic',
  address: '418 Harbor Street',
  phone: '(617) 555-0100',
  email: 'desk@harbor.example',
  website: '',
  specialties: ['Pediatrics'],
  npi: '',
  taxId: '',
}
const draft = (over: Partial<Draft> = {}): Draft => ({
  step: 2,
  details,
  newsletterOptIn: false,
  selectedPlan: null,
  ...over,
})
const practice = (over: Partial<Practice> = {}): Practice =>
  Practice.parse({
    id: '0b7e7c0e-8f0c-4b59-9d3c-3a3a5a1f0001',
    ...details,
    website: 'https://harbor.example',
    npi: null,
    taxId: null,
    timezone: 'America/New_York',
    newsletterOptIn: false,
    selectedPlan: null,
    setupComplete: false,
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  })

describe('the set-up wizard', () => {
  let kept: Map<string, string>
  beforeEach(() => {
    kept = new Map()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('begins with the welcome and the e-mail of whoever sets up', () => {
    expect(resumeDraft(user, null)).toMatchObject({ step: 1, details: { name: '', email: 'ada@harbor.example' } })
  })

  it('goes on at the form with what was typed', () => {
    saveDraft(user.id, draft())
    expect(resumeDraft(user, null)).toEqual(draft())
  })

  it('is nobody else’s, and can be forgotten', () => {
    saveDraft(user.id, draft())
    expect(resumeDraft({ ...user, id: 'user-2' }, null).step).toBe(1)
    deleteDraft(user.id)
    expect(resumeDraft(user, null).step).toBe(1)
  })

  it('is not past the form while there is no practice', () => {
    saveDraft(user.id, draft({ step: 4, selectedPlan: 'starter' }))
    expect(resumeDraft(user, null).step).toBe(2)
  })

  it('goes on after the form once the practice is there, in a window that remembers nothing too', () => {
    expect(resumeDraft(user, practice())).toMatchObject({
      step: 3,
      details: { name: 'Harbor Clinic', website: 'https://harbor.example', npi: '' },
    })
  })

  it('keeps the plan and the newsletter that were chosen but not sent', () => {
    saveDraft(user.id, draft({ step: 4, newsletterOptIn: true, selectedPlan: 'enterprise' }))
    expect(resumeDraft(user, practice())).toMatchObject({
      step: 4,
      newsletterOptIn: true,
      selectedPlan: 'enterprise',
    })
  })

  it('lets the form be corrected again', () => {
    saveDraft(user.id, draft({ details: { ...details, name: 'Harbor Clinic North' } }))
    expect(resumeDraft(user, practice())).toMatchObject({ step: 2, details: { name: 'Harbor Clinic North' } })
  })

  it('is over when it was completed, wherever it was left', () => {
    saveDraft(user.id, draft({ step: 3 }))
    expect(resumeDraft(user, practice({ setupComplete: true, selectedPlan: 'starter' }))).toMatchObject({
      step: 5,
      selectedPlan: 'starter',
    })
  })

  it.each(['', '{', 'null', '{"step":9}', '{"step":2,"details":{}}'])('begins anew when %j was kept', (text) => {
    kept.set(`everchart.onboarding.${user.id}`, text)
    expect(resumeDraft(user, null).step).toBe(1)
  })
})
