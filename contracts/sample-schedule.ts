import { samplePeople } from './sample-people.ts'
import { sampleSeed } from './sample-practice.ts'
import { type AppointmentStatus, type AppointmentType, daySlots } from './values/appointments.ts'

/** One appointment of the sample practice, in the practice's time zone. */
export type SampleAppointment = {
  /** The patient's index in `samplePeople`. */
  person: number
  /** YYYY-MM-DD. */
  localDate: string
  /** HH:mm. */
  localTime: string
  /** Minutes. */
  duration: number
  type: AppointmentType
  status: AppointmentStatus
  reason: string
}

const dayMs = 24 * 3_600_000
const pastDays = 56
const comingDays = 14
/** The number that the Appointments badge shows; none is cancelled, so the dashboard counts the same. */
const appointmentsToday = 12

const reasons: Record<AppointmentType, readonly string[]> = {
  consultation: ['First appointment', 'Recurring headache', 'Sleep, new medication', 'Stomach pain', 'Skin rash'],
  'follow-up': ['Blood pressure review', 'Lab results', 'Six weeks after surgery', 'Medication review', 'Asthma plan'],
  'check-up': ['Annual physical', 'Diabetes, quarterly', 'School form', 'Vaccination', 'Well-woman appointment'],
  emergency: ['Chest pain since this morning', 'Deep cut, left hand', 'High fever'],
  procedure: ['Skin lesion removal', 'Joint injection', 'Wound care'],
}
/** The share of each type in percent. */
const typeShares: readonly (readonly [AppointmentType, number])[] = [
  ['follow-up', 38],
  ['consultation', 27],
  ['check-up', 24],
  ['procedure', 7],
  ['emergency', 4],
]

/** Mulberry32, a small seeded random generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Returns the appointments of the sample practice in order: eight weeks back, today, two weeks ahead. `today` (YYYY-MM-DD)
 * and `now` (HH:mm) are in the practice's time zone. The same date, time and seed give the same appointments; none overlap.
 */
export function sampleSchedule(today: string, now: string, seed = sampleSeed): readonly SampleAppointment[] {
  const next = createRandom(seed)
  const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(next() * from.length)] as Item
  const queue = shuffle(samplePeople.map((_, index) => index))

  function shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, at: next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item)
  }

  /** Rotates through all patients, so that no patient has two appointments on one day. */
  function nextPerson(): number {
    const person = queue.shift() ?? 0
    queue.splice(20 + Math.floor(next() * (queue.length - 19)), 0, person)
    return person
  }

  function drawType(): AppointmentType {
    let drawn = next() * 100
    for (const [type, share] of typeShares) if ((drawn -= share) < 0) return type
    return 'follow-up'
  }

  function createDay(localDate: string, count: number): SampleAppointment[] {
    const slots = shuffle<string>(daySlots).slice(0, count).toSorted()
    return slots.map((localTime, index) => {
      const type = drawType()
      const isFree = !slots.includes(addHalfHour(localTime)) && localTime !== '11:30' && localTime !== '17:00'
      const duration = type === 'procedure' && isFree ? 60 : 30
      const status = drawStatus(localDate, localTime, duration, index)
      return { person: nextPerson(), localDate, localTime, duration, type, status, reason: pick(reasons[type]) }
    })
  }

  function drawStatus(localDate: string, localTime: string, duration: number, index: number): AppointmentStatus {
    const drawn = next()
    if (localDate < today) return drawn < 0.07 ? 'cancelled' : drawn < 0.12 ? 'no-show' : 'completed'
    if (localDate > today) return drawn < 0.05 ? 'cancelled' : drawn < 0.55 ? 'confirmed' : 'scheduled'
    const ends = toMinutes(localTime) + duration
    if (ends <= toMinutes(now)) return index === 3 ? 'no-show' : 'completed'
    if (toMinutes(localTime) <= toMinutes(now)) return 'in-progress'
    if (toMinutes(localTime) <= toMinutes(now) + 30) return 'waiting'
    return drawn < 0.6 ? 'confirmed' : 'scheduled'
  }

  const appointments: SampleAppointment[] = []
  for (let offset = -pastDays; offset <= comingDays; offset++) {
    const date = new Date(Date.parse(`${today}T00:00:00Z`) + offset * dayMs)
    const weekday = date.getUTCDay()
    const weekend = weekday === 0 || weekday === 6
    // Tuesdays and Thursdays are busy, and the near future is booked more densely than the far future.
    const busy = 4 + (weekday % 2 === 0 ? 2 : 0) + Math.floor(next() * 3)
    const ahead = offset > 0 ? 1 - offset / (comingDays + 6) : 1
    const count = offset === 0 ? appointmentsToday : weekend ? 0 : Math.round(busy * ahead)
    appointments.push(...createDay(date.toISOString().slice(0, 10), count))
  }
  return appointments
}

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function addHalfHour(time: string): string {
  const minutes = toMinutes(time) + 30
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
