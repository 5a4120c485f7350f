import type { CurrentUser } from '#contracts/accounts.ts'

/** A subscriber, as the current user is cached. */
export const user: CurrentUser = {
  id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001' as CurrentUser['id'],
  username: 'ada',
  email: 'ada@example.test',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'doctor',
  practiceId: null,
  isOwner: false,
  permissions: [],
  subscriptionStatus: 'trial',
  subscriptionTier: 'professional',
  hasLapsed: false,
  pastDueUntil: null,
  hasOpenInvoice: false,
  isRemovingSamples: false,
  newsletterOptIn: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  isDemoUser: false,
  isDemo: false,
  isActiveSubscriber: true,
  isAuthenticated: true,
}
