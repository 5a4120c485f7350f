import { defineProjection } from '#projections/projection.ts'
import type { PracticeEvent } from './events.ts'

/** The row of a practice. */
export type PracticeRow = {
  practice_id: string
  owner_id: string
  name: string
  address: string
  phone: string
  email: string
  website: string | null
  specialties: string[]
  npi: string | null
  tax_id: string | null
  timezone: string
  newsletter_opt_in: boolean
  selected_plan: string | null
  setup_complete: boolean
  revision: number
  created_at: string
  updated_at: string
}

/** One row per practice. `revision` counts from 0; `updated_at` is the time of the last change. */
export const practices = defineProjection<PracticeEvent, PracticeRow>({
  name: 'practices',
  version: 1,
  key: 'practice_id',
  columns: {
    practice_id: 'uuid',
    owner_id: 'uuid',
    name: 'text',
    address: 'text',
    phone: 'text',
    email: 'text',
    website: 'text',
    specialties: 'text[]',
    npi: 'text',
    tax_id: 'text',
    timezone: 'text',
    newsletter_opt_in: 'bool',
    selected_plan: 'text',
    setup_complete: 'bool',
    revision: 'int4',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  rowOf: (event) => event.data.practiceId,
  on: {
    PracticeSetUp: (_row, { data: { practiceId, ownerId, taxId, ...details }, metadata, revision }) => ({
      practice_id: practiceId,
      owner_id: ownerId,
      ...details,
      tax_id: taxId,
      newsletter_opt_in: false,
      selected_plan: null,
      setup_complete: false,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    PracticeDetailsChanged: (row, { data: { to }, metadata, revision }) => {
      const { taxId, ...others } = to
      return (
        row && {
          ...row,
          ...others,
          ...(taxId === undefined ? {} : { tax_id: taxId }),
          revision: Number(revision),
          updated_at: metadata.at,
        }
      )
    },
    PracticeSetupCompleted: (row, { data: { newsletterOptIn, selectedPlan }, metadata, revision }) =>
      row && {
        ...row,
        newsletter_opt_in: newsletterOptIn,
        selected_plan: selectedPlan,
        setup_complete: true,
        revision: Number(revision),
        updated_at: metadata.at,
      },
  },
})
