import {
  type AppointmentTypeChanges,
  type AppointmentTypes,
  defaultAppointmentTypes,
  mergeAppointmentTypes,
} from '#contracts/values/appointment-types.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { defineProjection } from '#projections/projection.ts'
import type { AppointmentTypeEvent } from '#modules/appointment-types/events.ts'
import type { TeamEvent } from '#modules/team/events.ts'
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
  session_timeout: number
  require_two_factor: boolean
  newsletter_opt_in: boolean
  selected_plan: string | null
  appointment_types: AppointmentTypes
  setup_complete: boolean
  revision: number
  created_at: string
  updated_at: string
}

/** One row per practice, with everything it sets. `revision` counts from 0; `updated_at` is the time of the last change. */
export const practices = defineProjection<
  PracticeEvent | AppointmentTypeEvent | Extract<TeamEvent, { type: 'OwnershipTransferred' }>,
  PracticeRow
>({
  name: 'practices',
  version: 4,
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
    session_timeout: 'int4',
    require_two_factor: 'bool',
    newsletter_opt_in: 'bool',
    selected_plan: 'text',
    appointment_types: 'jsonb',
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
      session_timeout: defaultSessionTimeout,
      require_two_factor: false,
      newsletter_opt_in: false,
      selected_plan: null,
      appointment_types: defaultAppointmentTypes,
      setup_complete: false,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    PracticeDetailsChanged: (row, { data: { to }, metadata, revision }) => {
      const { taxId, sessionTimeout, requireTwoFactor, ...others } = to
      return (
        row && {
          ...row,
          ...others,
          ...(taxId === undefined ? {} : { tax_id: taxId }),
          ...(sessionTimeout === undefined ? {} : { session_timeout: sessionTimeout }),
          ...(requireTwoFactor === undefined ? {} : { require_two_factor: requireTwoFactor }),
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
    // The revision is that of the practice itself.
    AppointmentTypesChanged: (row, { data: { to } }) =>
      row && { ...row, appointment_types: mergeAppointmentTypes(row.appointment_types, to as AppointmentTypeChanges) },
    OwnershipTransferred: (row, { data: { to } }) => row && { ...row, owner_id: to },
  },
})
