import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Practice } from '#contracts/practices.ts'
import { defaultAppointmentTypes } from '#contracts/values/appointment-types.ts'
import { UserId } from '#contracts/values/ids.ts'
import { forgetChosenPlan, keepChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { type Draft, deleteDraft, saveDraft, resumeDraft } from '#web/features/practices/onboarding-draft.ts'

const createUser = () => ({
  id: UserId.parse(randomUUID()),
  email: 'ada@harbor.example',
  newsletterOptIn: false,
  isActiveSubscriber: false,
  subscriptionTier: 'starter' as const,
})
const user = createUser()
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
    sessionTimeout: 60,
    requireTwoFactor: false,
    newsletterOptIn: false,
    selectedPlan: null,
    setupComplete: false,
    settings: {
      sessionTimeout: 60,
      requireTwoFactor: false,
      timezone: 'America/New_York',
      newsletterOptIn: false,
      selectedPlan: null,
      appointmentTypes: defaultAppointmentTypes,
    },
    revision: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  })

describe('the setup wizard', () => {
  let stored: Map<string, string>
  beforeEach(() => {
    stored = new Map()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
    vi.stubGlobal('sessionStorage', storage)
    vi.stubGlobal('localStorage', storage)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('starts at the welcome step with the owner’s email', () => {
    expect(resumeDraft(user, null)).toMatchObject({ step: 1, details: { name: '', email: 'ada@harbor.example' } })
  })

  it('starts with the newsletter as chosen at registration, and with the plan that was chosen before', () => {
    keepChosenPlan('enterprise', user.id)
    const draftOf = (newsletterOptIn: boolean) => resumeDraft({ ...user, newsletterOptIn }, null)
    expect(draftOf(true)).toMatchObject({ newsletterOptIn: true, selectedPlan: 'enterprise' })
    expect(draftOf(false)).toMatchObject({ newsletterOptIn: false, selectedPlan: 'enterprise' })
  })

  it('offers the plan that was chosen last, also while it was interrupted', () => {
    saveDraft(user.id, draft({ selectedPlan: 'starter' }))
    keepChosenPlan('professional', user.id)
    keepChosenPlan('enterprise', user.id)
    expect(resumeDraft(user, practice()).selectedPlan).toBe('enterprise')
    expect(resumeDraft(createUser(), null).selectedPlan).toBe(null)
    forgetChosenPlan()
    expect(resumeDraft(user, practice()).selectedPlan).toBe('starter')
  })

  it('resumes the form with its input', () => {
    saveDraft(user.id, draft())
    expect(resumeDraft(user, null)).toEqual(draft())
  })

  it('belongs to one user, and can be deleted', () => {
    saveDraft(user.id, draft())
    expect(resumeDraft(createUser(), null).step).toBe(1)
    deleteDraft(user.id)
    expect(resumeDraft(user, null).step).toBe(1)
  })

  it('is at the form at most while there is no practice', () => {
    saveDraft(user.id, draft({ step: 4, selectedPlan: 'starter' }))
    expect(resumeDraft(user, null).step).toBe(2)
  })

  it('resumes after the form once the practice exists, in a new window too', () => {
    expect(resumeDraft(user, practice())).toMatchObject({
      step: 3,
      details: { name: 'Harbor Clinic', website: 'https://harbor.example', npi: '' },
    })
  })

  it('keeps plan and newsletter choices that were not sent yet', () => {
    saveDraft(user.id, draft({ step: 4, newsletterOptIn: true, selectedPlan: 'enterprise' }))
    expect(resumeDraft(user, practice())).toMatchObject({
      step: 4,
      newsletterOptIn: true,
      selectedPlan: 'enterprise',
    })
  })

  it('allows returning to the form', () => {
    saveDraft(user.id, draft({ details: { ...details, name: 'Harbor Clinic North' } }))
    expect(resumeDraft(user, practice())).toMatchObject({ step: 2, details: { name: 'Harbor Clinic North' } })
  })

  it('goes on from the plan when it was paid before the setup was complete', () => {
    const subscriber = { ...user, isActiveSubscriber: true, subscriptionTier: 'professional' as const }
    const paid = { step: 4, selectedPlan: 'professional', details: { name: 'Harbor Clinic' } }
    expect(resumeDraft(subscriber, practice())).toMatchObject(paid)
    saveDraft(user.id, draft({ step: 3, newsletterOptIn: true, selectedPlan: 'starter' }))
    expect(resumeDraft(subscriber, practice())).toMatchObject({ ...paid, newsletterOptIn: true })
  })

  it('is at the last step once the setup is complete', () => {
    saveDraft(user.id, draft({ step: 3 }))
    expect(resumeDraft(user, practice({ setupComplete: true, selectedPlan: 'starter' }))).toMatchObject({
      step: 5,
      selectedPlan: 'starter',
    })
  })

  it.each(['', '{', 'null', '{"step":9}', '{"step":2,"details":{}}'])('starts over when %j was stored', (text) => {
    stored.set(`everchart.onboarding.${user.id}`, text)
    expect(resumeDraft(user, null).step).toBe(1)
  })
})
