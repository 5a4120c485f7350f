import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMailer } from '#mail/mailer.ts'
import type { MailMessage } from '#mail/message.ts'
import { listMessages, outboxFolder, readText } from '#mail/outbox.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-outbox-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const message = (number: number, over: Partial<MailMessage> = {}): MailMessage => ({
  key: `0b5f61b2-1111-4111-8111-11111111111${number}`,
  to: `reader${number}@example.test`,
  subject: `Message ${number}`,
  text: `Zażółć, a line that is long enough to be wrapped by the encoding for transport, = ${number}\n`,
  html: '<p>Text</p>',
  date: new Date(`2026-11-2${number}T08:00:00.000Z`),
  ...over,
})

const store = (each: MailMessage) =>
  createMailer({
    smtp: null,
    sender: { header: 'Everchart <everchart@localhost>', address: 'everchart@localhost' },
    outboxFolder: outboxFolder(folder),
  }).send(each, new AbortController().signal)

it('keeps messages as files that only the operator can read', async () => {
  expect(await listMessages(outboxFolder(folder))).toEqual([])
  await store(message(2))
  await store(message(1))
  const outbox = outboxFolder(folder)
  const listed = await listMessages(outbox)
  expect(listed).toEqual(
    [1, 2].map((number) => ({
      file: `${message(number).key}.eml`,
      date: message(number).date.toISOString(),
      to: message(number).to,
      subject: message(number).subject,
    })),
  )
  expect(await Promise.all(listed.map((each) => readText(outbox, each)))).toEqual([message(1).text, message(2).text])
  expect((await stat(outbox)).mode & 0o777).toBe(0o700)
  expect((await stat(path.join(outbox, `${message(1).key}.eml`))).mode & 0o777).toBe(0o600)
})

it('keeps one file of a message that is stored again', async () => {
  await store(message(1))
  await store(message(1, { subject: 'Again' }))
  expect(await listMessages(outboxFolder(folder))).toMatchObject([{ subject: 'Again' }])
  expect(await readdir(outboxFolder(folder))).toHaveLength(1)
})

it('stores nothing outside of its folder', async () => {
  await expect(store(message(1, { key: '../elsewhere' }))).rejects.toThrow(TypeError)
  expect(await readdir(folder)).toEqual([])
})

it('lists a file that is no message with what it has', async () => {
  await store(message(1))
  await writeFile(path.join(outboxFolder(folder), 'note.eml'), 'Subject: A note\n\nText')
  await writeFile(path.join(outboxFolder(folder), '.draft'), 'half')
  const [note] = await listMessages(outboxFolder(folder))
  expect(note).toEqual({ file: 'note.eml', date: '', to: '', subject: 'A note' })
})
