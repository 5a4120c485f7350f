import { addMinutes as addMinutesTo } from 'date-fns/addMinutes'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { FreeSlot } from '#contracts/appointments.ts'
import type { Migration } from '#database/migrations.ts'
import type { Services } from '#modules/module.ts'
import type { KnownAppointment } from './decider.ts'

/**
 * The times that are kept for patients who are choosing another one for their appointment. Times of different appointments never
 * overlap, so that no two patients are offered the same one. They are forgotten when they expire, and are no events.
 */
export const heldSlotsMigration: Migration = {
  id: 'appointments-001-held-slots',
  sql: `create table app.held_slots (
          appointment_id uuid not null,
          practice_id uuid not null,
          provider_id uuid not null,
          starts_at timestamptz not null,
          ends_at timestamptz not null,
          held_until timestamptz not null,
          primary key (appointment_id, starts_at),
          exclude using gist (
            provider_id with =, tstzrange(starts_at, ends_at) with &&, appointment_id with <>));
        create index on app.held_slots (held_until);`,
}

/** Minutes for which a time is kept once it was offered. */
const heldMinutes = 10

const HeldSlot = z.object({ appointmentId: z.string(), from: z.string(), until: z.string() })
/** A time that is kept for the patient of an appointment; ISO instants. */
export type HeldSlot = z.infer<typeof HeldSlot>

/** Finds the times of a provider that are kept for patients at an instant (ISO). */
export const findHeldSlots = (
  db: CommonQueryMethods,
  practiceId: string,
  providerId: string,
  now: string,
): Promise<readonly HeldSlot[]> =>
  db.any(sql.type(HeldSlot)`
    select appointment_id as "appointmentId", starts_at as from, ends_at as until from app.held_slots
    where practice_id = ${practiceId} and provider_id = ${providerId} and held_until > ${now}`)

/**
 * Keeps times for the patient of an appointment instead of those that were kept for them before. Returns those that could be kept:
 * another patient may have been offered one a moment ago.
 */
export async function holdSlots(
  { pool, clock }: Pick<Services, 'pool' | 'clock'>,
  { appointmentId, practiceId }: Pick<KnownAppointment, 'appointmentId' | 'practiceId'>,
  slots: readonly FreeSlot[],
): Promise<FreeSlot[]> {
  const now = clock()
  await pool.query('delete from app.held_slots where held_until <= $1 or appointment_id = $2', [now, appointmentId])
  const { rows } = await pool.query<{ starts_at: Date }>(
    `insert into app.held_slots (appointment_id, practice_id, provider_id, starts_at, ends_at, held_until)
     select $1, $2, s.provider_id, s.starts_at, s.ends_at, $3
     from unnest($4::uuid[], $5::timestamptz[], $6::timestamptz[]) as s (provider_id, starts_at, ends_at)
     on conflict do nothing returning starts_at`,
    [
      appointmentId,
      practiceId,
      addMinutesTo(now, heldMinutes),
      slots.map(({ providerId }) => providerId),
      slots.map(({ start }) => start),
      slots.map(({ end }) => end),
    ],
  )
  const held = new Set(rows.map(({ starts_at }) => starts_at.toISOString()))
  return slots.filter(({ start }) => held.has(start))
}

/** Gives up the times that are kept for the patient of an appointment. */
export async function releaseHeldSlots({ pool }: Pick<Services, 'pool'>, appointmentId: string): Promise<void> {
  await pool.query('delete from app.held_slots where appointment_id = $1', [appointmentId])
}
