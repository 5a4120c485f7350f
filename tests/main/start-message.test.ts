import { expect, test } from 'vitest'
import { formatReadyLine, formatStartMessage, type StartedApp } from '#main/start-message.ts'

const app: StartedApp = {
  version: '1.2.3',
  address: 'http://localhost:3000',
  hasAccounts: false,
  isDemo: false,
  dataDir: '/home/grace/everchart/.data',
  hasExternalDatabase: false,
  hasExternalEventStore: false,
}

test('tells a newcomer the address, the first step, where data is and how to stop', () => {
  expect(formatStartMessage(app)).toEqual([
    'Everchart 1.2.3 is ready: http://localhost:3000',
    '',
    '  There is no account yet. Create the first one: http://localhost:3000/auth?tab=register',
    '  Try it without an account: http://localhost:3000/demo',
    '  Data: /home/grace/everchart/.data',
    '  Stop: press Ctrl-C',
  ])
  expect(formatReadyLine(app)).toBe('Everchart 1.2.3 is ready: http://localhost:3000')
})

test('an installation in use offers to sign in', () => {
  const text = formatStartMessage({ ...app, hasAccounts: true }).join('\n')
  expect(text).toContain('  Sign in: http://localhost:3000/auth\n')
  expect(text).not.toContain('no account yet')
})

test('a demonstration names the sample practice first', () => {
  const lines = formatStartMessage({ ...app, isDemo: true })
  expect(lines[2]).toBe('  Visitors see the sample practice: http://localhost:3000/demo')
  expect(lines[3]).toContain('There is no account yet')
})

test.each([
  [true, false, 'the database of DATABASE_URL; secrets and outbox in /data'],
  [false, true, 'the event store of EVENTSTORE_URL; everything else in /data'],
  [true, true, 'the database of DATABASE_URL and the event store of EVENTSTORE_URL; secrets and outbox in /data'],
])('names external stores without their passwords: %s, %s', (hasExternalDatabase, hasExternalEventStore, place) => {
  const lines = formatStartMessage({ ...app, dataDir: '/data', hasExternalDatabase, hasExternalEventStore })
  expect(lines).toContain(`  Data: ${place}`)
})
