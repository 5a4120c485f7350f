import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatMessage } from '#contracts/assistant.ts'
import { historyLength, maxKeptMessages, maxQuestionsPerMinute } from '#contracts/assistant.ts'
import { addDays, toInstant, toLocalDate } from '#contracts/values/calendar.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, newUser } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { injections } from './injections.ts'
import { itLong } from '#tests/support/long.ts'

const zone = 'America/New_York'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // In the middle of a day, so that tomorrow stays the same one while the tests run.
  const now = app.services.clock()
  app.stopClock()
  app.advanceClock(Date.parse(toInstant(addDays(toLocalDate(now, zone), 1), '10:00', zone)) - now.getTime())
})
afterAll(() => app.dispose())
// Ends the minute of the limit.
beforeEach(() => app.advanceClock(61_000))

const ask = async (client: Client, message: string): Promise<ChatAnswer> => {
  const { status, body } = await client.post('/api/ai/chat', { message })
  if (status !== 200) throw new Error(`ask: ${status} ${JSON.stringify(body)}`)
  return body as ChatAnswer
}
const readHistory = async (client: Client) => (await client.get('/api/ai/chat/history')).body as ChatMessage[]

/** A practice with two patients, of whom Grace Liu has an appointment tomorrow at nine. */
async function newPractice() {
  const practice = await newSchedulingPractice(app)
  const { client, book } = practice
  const maria = await client.post('/api/patients', {
    firstName: 'Maria',
    lastName: 'Alvarez',
    dateOfBirth: '1978-03-14',
    phone: '(617) 555-0134',
  })
  const tomorrow = addDays(toLocalDate(app.services.clock(), zone), 1)
  const appointment = await book(`${tomorrow}T09:00`, { type: 'check-up' })
  return { ...practice, mariaId: maria.body.id as string, tomorrow, appointment }
}

describe('the assistant', () => {
  let practice: Awaited<ReturnType<typeof newPractice>>
  beforeAll(async () => {
    practice = await newPractice()
  })

  it('shows a day with its source and a dialog to book on it', async () => {
    const { client, tomorrow } = practice
    const { response, sources, actions } = await ask(client, 'show me tomorrow')
    expect(response).toMatch(
      /^Tomorrow, .*: 1 appointment, 1 not confirmed\.\n- 9:00 AM Grace Liu, Check-up, not confirmed$/,
    )
    const href = `/appointments?date=${tomorrow}&provider=all`
    expect(sources).toEqual([{ kind: 'schedule', id: tomorrow, label: expect.stringMatching(/^Appointments, /), href }])
    expect(actions).toEqual([{ label: 'Schedule appointment', href: `/appointments?date=${tomorrow}&new=true` }])
  })

  it('names who has not confirmed, who is next, and when a patient comes', async () => {
    const { client, tomorrow, appointment } = practice
    expect((await ask(client, 'Who has not confirmed for tomorrow?')).response).toMatch(
      /^1 appointment is not confirmed tomorrow/,
    )
    expect((await ask(client, "who's next")).response).toContain('9:00 AM Grace Liu')
    const { response, sources } = await ask(client, 'when is Grace Liu coming?')
    expect(response).toMatch(/^Grace Liu comes next on .*, 9:00 AM, Check-up/)
    expect(sources.map(({ href }) => href)).toEqual([
      `/appointments?date=${tomorrow}&provider=all&appointment=${appointment.id}`,
      `/patients/${practice.patientId}`,
    ])
    expect((await ask(client, 'When was Grace Liu last here?')).response).toBe(
      'Grace Liu has no completed appointment yet.',
    )
  })

  it.each(['find Maria Alvarez', 'maria alvares', '617 555 0134', 'who is born on March 14, 1978'])(
    'finds a patient: %s',
    async (question) => {
      const { response, sources } = await ask(practice.client, question)
      expect(response).toBe('Maria Alvarez, born March 14, 1978, phone (617) 555-0134. The record has everything else.')
      expect(sources).toEqual([
        { kind: 'patient', id: practice.mariaId, label: 'Maria Alvarez', href: `/patients/${practice.mariaId}` },
      ])
    },
  )

  it('names free slots of a provider, without the booked one, and opens the form at the first', async () => {
    const { client, provider } = practice
    const weekday = 'next Tuesday'
    const { response, actions } = await ask(client, `is there a free slot ${weekday} for 45 minutes?`)
    expect(response).toMatch(/^There are \d+ free slots of 45 minutes on Tuesday, .*:\n- Tuesday, .*, 9:00 AM\n/)
    expect(actions[0]?.href).toMatch(
      new RegExp(`^/appointments\\?date=\\d{4}-\\d\\d-\\d\\d&time=09%3A00&provider=${provider.id}&new=true$`),
    )
    expect((await ask(client, 'free slots with Dr. Zhivago')).response).toMatch(/^There is no provider named Zhivago/)
  })

  it('counts patients, appointments and revenue, and knows hours, providers and the waitlist', async () => {
    const { client, mariaId } = practice
    expect((await ask(client, 'how many patients do we have')).response).toMatch(
      /^The practice has 2 patients, 2 of them new/,
    )
    expect((await ask(client, 'how many appointments tomorrow')).response).toMatch(
      /: 1 appointment, 0 completed and 1 not/,
    )
    expect((await ask(client, 'revenue this month')).response).toMatch(/: \$0\.00 in fees/)
    expect((await ask(client, 'which providers do we have?')).response).toBe(
      'These providers see patients:\n- Ada Okafor',
    )
    expect((await ask(client, 'what are our opening hours')).response).toContain('\n- Saturday: closed')
    expect((await ask(client, 'who is on the waitlist')).response).toBe('The waitlist is empty.')
    await client.post('/api/waitlist', { patientId: mariaId, type: 'check-up' })
    expect((await ask(client, 'waiting list')).response).toMatch(
      /^1 patient is on the waitlist.*\n- Maria Alvarez, Check-up/,
    )
  })

  it('changes nothing, and leads to the dialog instead', async () => {
    const { client, appointment, tomorrow } = practice
    const { response, actions } = await ask(client, 'cancel the appointment of Grace Liu')
    expect(response).toMatch(/^I change nothing myself\. Here you can cancel the appointment of Grace Liu on /)
    expect(actions).toEqual([
      {
        label: 'Open the appointment',
        href: `/appointments?date=${tomorrow}&provider=all&appointment=${appointment.id}`,
      },
    ])
    expect((await client.get(`/api/appointments/${appointment.id}`)).body.status).toBe('scheduled')
    expect((await ask(client, 'Add a new patient')).actions).toEqual([
      { label: 'Add patient', href: '/patients?new=true' },
    ])
  })

  it('says what it can do when it does not understand', async () => {
    const { response } = await ask(practice.client, 'qwertz')
    expect(response).toMatch(/^I did not understand this question\. .*\n- Who is next\?/)
  })

  it.each([
    ['', 'Please enter a question'],
    ['   ', 'Please enter a question'],
    ['x'.repeat(4_001), 'At most 4,000 characters'],
  ])('refuses a message of the wrong length', async (message, text) => {
    const { status, problem } = await practice.client.post('/api/ai/chat', { message })
    expect([status, problem.errors]).toEqual([422, [{ path: 'message', message: text }]])
  })
})

describe('the forms', () => {
  it('that wait for a review are listed, and the last one of a patient is summarized for clinical staff', async () => {
    const { client, practice, mariaId } = await newPractice()
    const formData = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`phq9-${index + 1}`, 3]))
    const form = await client.post('/api/forms', {
      patientId: mariaId,
      formType: 'assessment',
      title: 'PHQ-9',
      formData,
    })
    await client.get(`/api/forms/${form.body.id}/analysis`)
    const waiting = await ask(client, 'which forms are waiting for review?')
    expect(waiting.response).toMatch(
      /^1 form waits for a review, newest first:\n- Maria Alvarez, PHQ-9, submitted .*, urgent finding$/,
    )
    expect(waiting.sources.map(({ href }) => href)).toEqual(['/forms?status=pending', `/forms/${form.body.id}`])
    const summary = await ask(client, "summarize Maria Alvarez's last form")
    expect(summary.response).toMatch(
      /^The last form of Maria Alvarez is the assessment "PHQ-9", submitted .*\n[^]*PHQ-9: 27, Severe/,
    )
    const { client: staff } = await newMember(app, practice.id, 'staff')
    expect((await ask(staff, 'which forms are waiting for review?')).response).not.toContain('urgent')
    const withheld = await ask(staff, "summarize Maria Alvarez's last form")
    expect(withheld.response).toMatch(/Its answers are shown to clinical staff only\.$/)
    expect(withheld.response).not.toMatch(/PHQ-9: 27|Severe/)
  })
})

describe('permissions', () => {
  it('decide about every answer, and about the history when a role changes', async () => {
    const { client, practice } = await newPractice()
    const nurse = await newMember(app, practice.id, 'nurse')
    expect((await ask(nurse.client, 'revenue this month')).response).toMatch(/^Your role does not include revenue/)
    expect((await ask(nurse.client, 'show me tomorrow')).response).toContain('Grace Liu')
    const reviewer = await newMember(app, practice.id, 'reviewer')
    for (const question of [
      'show me tomorrow',
      "who's next",
      'free slots',
      'who is on the waitlist',
      'who works here',
      'how many appointments today',
    ])
      expect((await ask(reviewer.client, question)).response).toMatch(/^Your role does not include/)
    expect((await ask(reviewer.client, 'find Grace Liu')).response).toContain('Grace Liu')
    expect((await ask(reviewer.client, 'add a patient')).actions).toEqual([])
    const doctor = await newMember(app, practice.id, 'staff')
    expect((await ask(doctor.client, 'revenue this month')).response).toContain('$0.00')
    expect((await client.patch(`/api/team/${doctor.user.id}`, { role: 'nurse' })).status).toBe(200)
    expect((await readHistory(doctor.client)).map(({ content }) => content)).toEqual([
      'revenue this month',
      'Your role no longer includes this answer.',
    ])
  })

  it('come from rules alone where no model is connected', async () => {
    const { client } = await newOwner(app)
    expect((await client.get('/api/ai/chat')).body).toEqual({ model: null })
  })

  it('need a practice', async () => {
    const { client } = await newUser(app)
    expect((await client.post('/api/ai/chat', { message: 'who is next' })).problem.code).toBe('practice-required')
  })
})

describe('an attempt to mislead the assistant', () => {
  it('reveals nothing of another practice, and changes nothing', async () => {
    const other = await newSchedulingPractice(app)
    const zelda = { firstName: 'Zelda', lastName: 'Quimby', dateOfBirth: '1961-07-09', phone: '(617) 555-0199' }
    const { body } = await other.client.post('/api/patients', zelda)
    const { client, practice, tomorrow } = await newPractice()
    const nurse = await newMember(app, practice.id, 'nurse')
    const countEvents = async () => {
      const { rows } = await app.services.pool.query('select count(*)::int4 as events from es.events')
      return rows[0].events as number
    }
    const before = await countEvents()
    expect(injections.length).toBeGreaterThanOrEqual(30)
    for (const [index, text] of injections.entries()) {
      if (index % 15 === 14) app.advanceClock(61_000)
      const answer = JSON.stringify(await ask(nurse.client, text))
      expect(answer).not.toMatch(/555-0199|1961|July 9|\$\d/)
      expect(answer).not.toContain(body.id)
      expect(answer).not.toContain(other.patientId)
    }
    expect(await countEvents()).toBe(before)
    expect((await client.get('/api/patients')).body).toHaveLength(2)
    expect((await ask(client, `appointments on ${tomorrow}`)).response).toContain('1 appointment')
    expect((await other.client.get(`/api/patients/${body.id}`)).body).toMatchObject({ lastName: 'Quimby' })
  }, 240_000)
})

describe('the limit', () => {
  it('is twenty questions of one user within a minute', async () => {
    const { client, practice } = await newPractice()
    const other = await newMember(app, practice.id, 'staff')
    for (let n = 0; n < maxQuestionsPerMinute; n++) await ask(client, 'thanks')
    const refused = await client.post('/api/ai/chat', { message: 'thanks' })
    expect([refused.status, refused.problem.code]).toEqual([429, 'too-many-questions'])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
    await ask(other.client, 'thanks')
    app.advanceClock(61_000)
    await ask(client, 'thanks')
  })
})

describe('the history', () => {
  it("holds the caller's own messages, encrypted, until the caller deletes them", async () => {
    const { client, practice } = await newPractice()
    const colleague = await newMember(app, practice.id, 'staff')
    const { response, sources, actions } = await ask(client, 'find Maria Alvarez')
    await ask(colleague.client, 'thanks')
    expect(await readHistory(client)).toEqual([
      expect.objectContaining({ type: 'user', content: 'find Maria Alvarez', sources: [], actions: [] }),
      expect.objectContaining({ type: 'assistant', content: response, sources, actions }),
    ])
    const { rows } = await app.services.pool.query('select content from app.chat_messages')
    for (const { content } of rows as { content: Buffer }[]) expect(content.includes('Alvarez')).toBe(false)
    expect((await client.delete('/api/ai/chat/history')).status).toBe(204)
    expect(await readHistory(client)).toEqual([])
    expect(await readHistory(colleague.client)).toHaveLength(2)
  })

  itLong('returns the last messages in their order, and keeps no more than its maximum', async () => {
    const { client, practice, user } = await newPractice()
    for (let n = 0; n < maxKeptMessages / 2 + 2; n++) {
      if (n % 15 === 14) app.advanceClock(61_000)
      await ask(client, n % 2 === 0 ? 'thanks' : 'thank you')
    }
    const history = await readHistory(client)
    expect(history.map(({ type }) => type)).toEqual(
      Array.from({ length: historyLength }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
    )
    expect(history.at(-2)?.content).toBe('thank you')
    const { rows } = await app.services.pool.query(
      'select count(*)::int4 as kept from app.chat_messages where user_id = $1 and practice_id = $2',
      [user.id, practice.id],
    )
    expect(rows).toEqual([{ kept: maxKeptMessages }])
  })

  it('loses the text about a patient whose key was destroyed', async () => {
    const { client, mariaId } = await newPractice()
    await ask(client, 'find Maria Alvarez')
    await ask(client, 'thanks')
    await app.services.keyStore.destroy(mariaId)
    const erased = 'This message named a patient whose record was erased.'
    expect((await readHistory(client)).map(({ content }) => content)).toEqual([
      erased,
      erased,
      'thanks',
      'You are welcome.',
    ])
  })
})
