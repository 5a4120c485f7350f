import { Client as Database } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import {
  createTemporaryDataDir,
  type EverchartProcess,
  expectStopped,
  killAllProcesses,
  readDatabaseUrl,
  startEverchart,
} from '#tests/support/everchart-process.ts'
import { type ModelCall, type ModelResponse, respond, startModelServer } from '#tests/support/model-server.ts'
import { newOwner } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let server: Awaited<ReturnType<typeof startModelServer>>
let answer: (call: ModelCall) => ModelResponse
const reply = () => respond({ summary: 'Chest pain.', findings: [], followUpQuestions: [], suggestedActions: [] })
beforeEach(async () => {
  data = await createTemporaryDataDir()
  server = await startModelServer((call) => answer(call))
})
afterEach(async () => {
  await server.close()
  await data.remove()
})

async function start(): Promise<EverchartProcess> {
  const app = startEverchart(data.folder, {
    OPENAI_API_KEY: server.settings.apiKey,
    OPENAI_BASE_URL: server.settings.baseUrl ?? '',
  })
  await app.ready
  return app
}

/** Starts, hands in a form, and kills the application at a moment. Returns the form and its user's cookie. */
async function killAt(reachMoment: () => Promise<unknown>) {
  const app = await start()
  const { client } = await newOwner({ newClient: () => createClient(app.url()) })
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
  const phq9 = Object.fromEntries(Array.from({ length: 9 }, (_, item) => [`phq9-${item + 1}`, item === 8 ? 1 : 0]))
  const body = { patientId: patient.body.id, formType: 'assessment', title: 'PHQ-9', formData: phq9 }
  const form = await client.post('/api/forms', body)
  expect(form.status).toBe(201)
  await reachMoment()
  await killAllProcesses(data.folder)
  await app.ended
  return { formId: form.body.id as string, cookie: client.cookie() }
}

/** Starts again, waits for the analysis, and returns it with the events about it. */
async function recover({ formId, cookie }: Awaited<ReturnType<typeof killAt>>) {
  const app = await start()
  const client = createClient(app.url())
  client.setCookie(cookie)
  const { body: form } = await waitUntil(
    () => client.get(`/api/forms/${formId}`),
    ({ body }) => body.analysisState === 'complete',
  )
  const database = new Database({ connectionString: await readDatabaseUrl(data.folder) })
  await database.connect()
  const { rows } = await database.query<{ type: string; n: number }>(
    `select type, count(*)::int as n from es.events where type in ('FormAnalyzed', 'AiInteractionBegun', 'AiInteractionEnded')
     group by type order by type`,
  )
  await database.end()
  app.kill('SIGTERM')
  await expectStopped(app)
  return { form, events: Object.fromEntries(rows.map(({ type, n }) => [type, n])) }
}

const once = { FormAnalyzed: 1, AiInteractionBegun: 1, AiInteractionEnded: 1 }

test('killed while the model thinks: one analysis, by rules, and the model is not asked again', async () => {
  answer = () => ({ ...reply(), after: new Promise(() => undefined) })
  const killed = await killAt(() => waitUntil(() => server.calls.length === 1))
  answer = reply
  const { form, events } = await recover(killed)
  expect(form.aiAnalysis).toMatchObject({ analyst: 'rules', model: 'gpt-5' })
  expect(form.aiAnalysis.findings).toContainEqual(expect.objectContaining({ severity: 'urgent' }))
  expect(events).toEqual(once)
  expect(server.calls).toHaveLength(1)
})

test('killed as soon as the model has replied: one analysis, asked for and charged once', async () => {
  answer = reply
  const killed = await killAt(() => waitUntil(() => server.calls.length === 1))
  const { form, events } = await recover(killed)
  expect(form.aiAnalysis.findings).toContainEqual(expect.objectContaining({ severity: 'urgent' }))
  expect(events).toEqual(once)
  expect(server.calls).toHaveLength(1)
})
