import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FormAnalysis } from '#contracts/forms.ts'
import { AiInteractionId, FormId, type PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { interactionDecider } from '#modules/assistant/decider.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { type ModelCall, type ModelResponse, respond, startModelServer } from '#tests/support/model-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const good = {
  summary: 'Chest pain on exertion.',
  findings: [
    {
      text: 'Chest pain on exertion',
      severity: 'urgent' as const,
      evidence: [{ questionId: 'reason', quote: 'chest pain' }],
    },
    { text: 'Invented', severity: 'urgent' as const, evidence: [{ questionId: 'reason', quote: 'numb arm' }] },
  ],
  followUpQuestions: ['Does it stop at rest?'],
  suggestedActions: ['Record an ECG'],
}

let app: TestApp
let server: Awaited<ReturnType<typeof startModelServer>>
let practice: Awaited<ReturnType<typeof newPractice>>
let answer: (call: ModelCall) => ModelResponse = () => respond(good)
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
  answer = () => respond(good)
})

const answers = {
  reason: 'Grace Liu: chest pain since Monday, call +1 617 555 0123',
  'has-allergies': false,
  smokes: false,
  phone: '+16175550123',
  'emergency-contact-name': 'Tom Liu',
  'emergency-contact-phone': '+16175550199',
  signature: 'Grace Liu',
}

async function newPractice() {
  const { client, practice } = await newSubscriber(app, 'professional')
  const person = { firstName: 'Grace', lastName: 'Liu', dateOfBirth: '1957-03-04', email: 'grace.liu@example.test' }
  const patientId = (await client.post('/api/patients', person)).body.id as string
  /** Hands in a form, and returns its analysis. */
  const analyze = async (formData: object = answers) => {
    const form = { patientId, formType: 'intake', title: 'Intake', formData }
    const created = await client.post('/api/forms', form)
    expect(created.status).toBe(201)
    const analysis = await client.get(`/api/forms/${created.body.id}/analysis`)
    expect(analysis.status).toBe(200)
    return { formId: created.body.id as string, analysis: analysis.body as FormAnalysis }
  }
  const getUsage = async () => (await client.get('/api/ai/insights/usage')).body.model
  return { client, practiceId: practice.id as PracticeId, patientId, analyze, getUsage }
}

const interactionOf = (formId: string) => AiInteractionId.parse(deriveId(`analysis of ${formId} version 1`))

/** Returns what is on record about the question on a form. */
async function readInteraction(formId: string) {
  const events = await readStream(app.services.store, `ai-interaction-${interactionOf(formId)}`)
  return events.map(({ type, data: { status, reason, cost } }) => (status ? [status, reason, cost] : [type]))
}

describe('a form', () => {
  it('is analyzed by the model, once, without what identifies the patient', async () => {
    const { analyze, getUsage, patientId } = await newPractice()
    const before = server.calls.length
    const { formId, analysis } = await analyze()
    expect(analysis).toMatchObject({
      analyst: 'model',
      model: 'gpt-5',
      findings: [{ text: 'Chest pain on exertion', severity: 'urgent' }],
      followUpQuestions: ['Does it stop at rest?'],
      suggestedActions: ['Record an ECG'],
    })
    const [question, ...more] = server.calls.slice(before)
    expect(more).toEqual([])
    expect(question).toMatchObject({ path: '/v1/responses', authorization: 'Bearer sk-of-the-test-run' })
    expect(JSON.parse(question?.body ?? '')).toMatchObject({ model: 'gpt-5', store: false })
    for (const secret of ['Grace', 'Liu', '555', '1957', 'grace.liu', 'Tom', patientId, formId])
      expect(question?.body).not.toContain(secret)
    expect(question?.body).toContain('chest pain since Monday')
    expect(await readInteraction(formId)).toEqual([['AiInteractionBegun'], ['completed', null, 75]])
    expect(await getUsage()).toEqual({ name: 'gpt-5', calls: 1, tokens: 2_500, cost: '0.0075' })
  })

  it('is asked about again after 429 and 5xx, and charged once', async () => {
    const { analyze } = practice
    const replies = [
      { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after-ms': '1' } },
      { status: 503, body: 'busy', headers: { 'retry-after-ms': '1' } },
      respond(good),
    ]
    answer = () => replies.shift() ?? respond(good)
    const { formId, analysis } = await analyze()
    expect(analysis.analyst).toBe('model')
    expect(await readInteraction(formId)).toEqual([['AiInteractionBegun'], ['completed', null, 75]])
  })

  const soon = { 'retry-after-ms': '1' }
  it.each<[reason: string, cost: number, response: () => ModelResponse]>([
    ['http-500', 0, () => ({ status: 500, body: {}, headers: soon })],
    ['http-429', 0, () => ({ status: 429, body: {}, headers: soon })],
    ['http-401', 0, () => ({ status: 401, body: { error: { message: 'Incorrect key sk-secret' } } })],
    ['no-reply', 0, () => ({ body: {}, isLost: true })],
    ['refused', 75, () => respond([{ type: 'refusal', refusal: 'I cannot help with that.' }])],
    ['incomplete', 75, () => respond('{"summ', { status: 'incomplete' })],
    ['invalid-reply', 75, () => respond('no JSON at all')],
    ['invalid-reply', 75, () => respond('{"summary":"","findings":[{"text":1}]}')],
    ['invalid-reply', 0, () => ({ body: '<html>proxy</html>' })],
  ])('is analyzed by rules when the model does not reply (%s)', async (reason, cost, response) => {
    const { analyze } = practice
    answer = response
    const { formId, analysis } = await analyze()
    expect(analysis).toMatchObject({ analyst: 'rules', model: 'gpt-5' })
    expect(analysis.findings).toContainEqual(expect.objectContaining({ text: 'Mentions chest pain' }))
    expect(await readInteraction(formId)).toEqual([['AiInteractionBegun'], ['failed', reason, cost]])
  })

  it('is analyzed by rules once the budget of the day is spent', async () => {
    const { analyze, getUsage } = await newPractice()
    answer = () => respond(good, {}, { input_tokens: 0, output_tokens: 100_000 })
    expect((await analyze()).analysis.analyst).toBe('model')
    const before = server.calls.length
    const { formId, analysis } = await analyze()
    expect(analysis.analyst).toBe('rules')
    expect(server.calls).toHaveLength(before)
    expect(await readInteraction(formId)).toEqual([['AiInteractionBegun'], ['skipped', 'daily-budget', 0]])
    expect(await getUsage()).toMatchObject({ calls: 1, cost: '1.0000' })
  })

  it('is not asked about twice when the process was killed after the question had left', async () => {
    const { client, practiceId, patientId } = practice
    const before = server.calls.length
    const draft = { patientId, formType: 'intake', title: 'Intake' }
    const formId = FormId.parse((await client.post('/api/forms', draft)).body.id)
    const context: CommandContext = {
      practiceId,
      actor: { kind: 'process', name: 'analyze-form' },
      correlationId: formId,
    }
    const interactionId = interactionOf(formId)
    const interaction = { interactionId, practiceId, interactionType: 'form-analysis', formId, model: 'gpt-5' } as const
    await app.services.bus.execute(interactionDecider, interactionId, { type: 'Begin', interaction }, context)
    await client.patch(`/api/forms/${formId}`, { formData: answers, submit: true })
    const analysis = await client.get(`/api/forms/${formId}/analysis`)
    expect(analysis.body).toMatchObject({ analyst: 'rules', model: 'gpt-5' })
    expect(server.calls).toHaveLength(before)
    expect(await readInteraction(formId)).toEqual([['AiInteractionBegun'], ['unknown', 'interrupted', 0]])
  })
})

describe('the connection', () => {
  it('is tested without a question, and shows its last state', async () => {
    const { client, analyze } = practice
    const before = server.calls.length
    answer = () => ({ body: { id: 'gpt-5', object: 'model' } })
    expect((await client.post('/api/integrations/test', { name: 'ai' })).body).toMatchObject({ isWorking: true })
    expect(server.calls.slice(before).map(({ path }) => path)).toEqual(['/v1/models/gpt-5'])
    const find = async () =>
      (await client.get('/api/integrations')).body.items.find(({ name }: { name: string }) => name === 'ai')
    expect(await find()).toMatchObject({ status: 'connected', canTest: true })
    answer = () => ({ status: 429, body: {}, headers: { 'retry-after-ms': '1' } })
    await analyze()
    expect(await find()).toMatchObject({ status: 'rate_limited', lastError: { code: 'http-429' } })
    answer = () => ({ status: 404, body: {} })
    expect((await client.post('/api/integrations/test', { name: 'ai' })).body).toMatchObject({
      isWorking: false,
      error: 'http-404',
    })
  })
})
