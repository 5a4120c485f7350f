import type { ComposedApp } from '#main/compose.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import { createRandom } from './generated-patients.ts'
import { measure, type Timing } from './timing.ts'

const appointments = 1_000_000
const patients = 20_000
const providers = 10
const days = 3_650
const partSize = 50_000

/**
 * Measures the figures of random periods of up to ten years, in a practice with a million appointments in ten years, twenty thousand
 * patients and ten providers.
 */
export async function benchAnalytics(
  url: string,
  { services: { pool } }: ComposedApp,
  seconds: number,
): Promise<Timing[]> {
  const { client, practice } = await newSubscriber({ newClient: () => createClient(url) }, 'professional')
  const today = new Date().toISOString().slice(0, 10)
  const first = addDays(today, -days)
  const providerIds = Array.from({ length: providers }, () => crypto.randomUUID())
  await pool.query(
    `insert into read.analytics_patients (patient_id, practice_id, date_of_birth, gender, registered_at, sample)
     select gen_random_uuid(), $1, null, null, $2::date + n * ($3::int * interval '1 day' / $4::int), false
     from generate_series(1, $4::int) as n`,
    [practice.id, first, days, patients],
  )
  // One part after the other: a statement ends after some seconds.
  for (let from = 1; from <= appointments; from += partSize)
    await pool.query(
      `insert into read.analytics_appointments (appointment_id, practice_id, patient_id, provider_id, type, starts_at,
         booked_at, minutes, status, completed_at, fee_cents, sample)
       select gen_random_uuid(), $1, gen_random_uuid(), ($5::uuid[])[1 + n % cardinality($5::uuid[])],
         ($6::text[])[1 + n % cardinality($6::text[])], at, at - interval '9 days', 30, status,
         case status when 'completed' then at end, case status when 'completed' then 12000 end, false
       from generate_series($7::int, $7::int + $8::int - 1) as n
       cross join lateral (select $2::date + n * ($3::int * interval '1 day' / $4::int) as at,
         case n % 20 when 0 then 'no-show' when 1 then 'cancelled' else 'completed' end as status) as each`,
      [practice.id, first, days, appointments, providerIds, AppointmentType.options, from, partSize],
    )
  await pool.query('vacuum (analyze) read.analytics_appointments')
  await pool.query('vacuum (analyze) read.analytics_appointments_totals')
  const next = createRandom(11)
  const measurePeriods = (name: string, limit: () => string, clients = 1) =>
    measure(name, clients, seconds, async () => {
      const [one, other] = [next(), next()].map((share) => addDays(first, Math.floor(share * days)))
      const [from = first, to = first] = [one, other].toSorted()
      const { status } = await client.get(`/api/analytics?from=${from}&to=${to}${limit()}`)
      if (status !== 200) throw new Error(`The figures from ${from} to ${to} were answered ${status}`)
    })
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]
  return [
    await measurePeriods('any period', () => ''),
    await measurePeriods('any period of one provider', () => `&provider=${pick(providerIds)}`),
    await measurePeriods(
      'any period of one provider and type',
      () => `&provider=${pick(providerIds)}&type=${pick(AppointmentType.options)}`,
    ),
    await measurePeriods('any period, eight clients', () => '', 8),
  ]
}
