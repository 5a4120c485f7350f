import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ChatAnswer } from '#contracts/assistant.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { ModelIntent } from '#modules/chat/model/read-intent.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import { type ModelCall, type ModelResponse, respond, startModelServer } from '#tests/support/model-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let server: Awaited<ReturnType<typeof startModelServer>>
let practice: Awaited<ReturnType<typeof newPractice>>
let answer: (call: ModelCall) => ModelResponse
beforeAll(async () => {
  server = await startModelServer((call) => answer(call))
  app = await startTestApp({ model: server.settings })
  practice = await newPractice()
})
afterAll(async () => {
  await app?.dispose()
  await server?.close()
})
beforeEach(() => {
  server.calls.length = 0
})

const classify = (reply: Partial<ModelIntent>) => {
  const nothing = { from: null, until: null, filter: null, which: null, figure: null, durationMinutes: null }
  const rest = { earliestTime: null, latestTime: null, person: null, provider: null }
  answer = () => respond(JSON.stringify({ kind: 'unknown', ...nothing, ...rest, ...reply }))
}

async function newPractice() {
  const scheduling = await newSchedulingPractice(app)
  const contact = { dateOfBirth: '1978-03-14', phone: '(617) 555-0134' }
  await scheduling.client.post('/api/patients', { firstName: 'Maria', lastName: 'Alvarez', ...contact })
  return scheduling
}

const ask = async (client: Client, message: string) => {
  const { status, body } = await client.post('/api/ai/chat', { message })
  expect(status).toBe(200)
  return body as ChatAnswer
}
const aiNote = 'An AI model read this question'
const question = 'did maria alvarez grumble whenever Grace Liu arrived beforehand'

it('the assistant names its model', async () => {
  expect((await practice.client.get('/api/ai/chat')).body).toEqual({ model: server.settings.model })
})

it('a question that the rules do not understand is classified by the model, without names and records', async () => {
  classify({ kind: 'find-patient', person: 'Person 1' })
  const { response } = await ask(practice.client, question)
  expect(response).toContain('Maria Alvarez')
  expect(response).toContain(aiNote)
  expect(server.calls).toHaveLength(1)
  const { body = '' } = server.calls[0] ?? {}
  expect(body).toContain('did Person 1 grumble whenever Person 2 arrived beforehand')
  expect(body).toContain(toLocalDate(app.services.clock(), 'America/New_York'))
  for (const secret of ['aria', 'lvarez', 'Grace', 'Liu', '555', '1978', practice.patientId, practice.practice.id])
    expect(body).not.toContain(secret)
})

it('a question that the rules understand does not leave', async () => {
  const { response } = await ask(practice.client, 'who is next?')
  expect(response).not.toContain(aiNote)
  expect(server.calls).toEqual([])
})

it('the reply of the model opens nothing that the role does not include', async () => {
  const nurse = await newMember(app, practice.practice.id, 'nurse')
  classify({ kind: 'figure', figure: 'revenue' })
  const { response } = await ask(nurse.client, 'could you divulge whatever accrued lately')
  expect(response).toContain('Your role does not include')
  classify({ kind: 'change' })
  expect((await ask(nurse.client, 'might you kindly obliterate whatever stands there')).response).toContain(
    'I change nothing myself.',
  )
})

it.each<[name: string, response: ModelResponse]>([
  ['an error', { status: 401, body: {} }],
  ['a lie', respond('{"kind":"drop-tables"}')],
  ['a person that was not named', respond('{"kind":"find-patient","person":"Grace Liu"}')],
])('%s of the model leaves the answer of the rules', async (_, response) => {
  answer = () => response
  const reply = await ask(practice.client, 'whatever grumbles beforehand notwithstanding')
  expect(reply.response).toContain('I did not understand this question.')
  expect(reply.response).not.toContain(aiNote)
})
