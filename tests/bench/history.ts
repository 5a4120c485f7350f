import { randomUUID } from 'node:crypto'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { DomainEvent, NewEvent } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { newEvent } from '#tests/support/events.ts'
import { createRandom, generatePatients } from './generated-patients.ts'

const practices = 10
const eventsPerAppend = 500
const concurrency = 4

/**
 * Writes a number of realistic events: every fourth registers a patient, the others change one. Each stream gets many
 * events, which is faster and makes no difference for reading all events.
 */
export async function writeHistory(store: Pick<EventStore, 'append'>, events: number): Promise<void> {
  const next = createRandom(7)
  const offices = Array.from({ length: practices }, () => {
    const practiceId = PracticeId.parse(randomUUID())
    return {
      practiceId,
      patients: generatePatients(practiceId, Math.ceil(events / practices), 3),
      known: [] as string[],
    }
  })
  function eventOf(index: number): NewEvent {
    const office = offices[index % practices] ?? offices[0]
    if (!office) throw new Error('no practice')
    const { practiceId, patients, known } = office
    if (index < practices) return newEvent('PracticeSetUp', practiceSetUpData(practiceId), { practiceId })
    if (index < practices * 2) return newEvent('UserRegistered', userRegisteredData(), { practiceId })
    const fresh = known.length === 0 || Math.floor(index / practices) % 4 === 0 ? patients.next().value : undefined
    if (fresh) known.push(fresh.data.patientId)
    const patientId = known[Math.floor(next() * known.length)] ?? ''
    const { type, data } = fresh ?? createPatientChange(patientId, index)
    return newEvent(type, data, { practiceId })
  }
  let index = 0
  async function write(): Promise<void> {
    while (index < events) {
      const some = Array.from({ length: Math.min(eventsPerAppend, events - index) }, () => eventOf(index++))
      const { status } = await store.append(`bench-${randomUUID()}`, 'no-stream', some)
      if (status !== 'appended') throw new Error(status)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, write))
}

const practiceSetUpData = (practiceId: PracticeId) => ({
  practiceId,
  ownerId: UserId.parse(randomUUID()),
  name: 'Harbor Clinic',
  address: '418 Harbor Street, Lakeside',
  phone: '+16175550100',
  email: 'desk@example.test',
  website: null,
  specialties: ['Family Medicine'],
  npi: null,
  taxId: null,
  timezone: 'America/New_York',
})

function userRegisteredData() {
  const userId = UserId.parse(randomUUID())
  const [email, username] = [`${userId}@example.test`, userId]
  const [firstName, lastName] = ['Ada', 'Okafor']
  return { userId, email, username, firstName, lastName, role: 'admin', newsletterOptIn: false, addressHash: 'x' }
}

function createPatientChange(patientId: string, index: number): DomainEvent {
  const kinds: DomainEvent[] = [
    {
      type: 'PatientContactChanged',
      data: { patientId, from: { phone: null }, to: { phone: `+1617${String(index).padStart(7, '0')}` } },
    },
    {
      type: 'PatientMedicationsChanged',
      data: { patientId, medications: [{ name: 'Lisinopril', dosage: '10 mg', frequency: 'daily' }] },
    },
    { type: 'PatientNotesChanged', data: { patientId, notes: `Called on day ${index}, will come again in spring` } },
  ]
  return (
    kinds[Math.floor(index / practices) % kinds.length] ?? {
      type: 'PatientNotesChanged',
      data: { patientId, notes: null },
    }
  )
}
