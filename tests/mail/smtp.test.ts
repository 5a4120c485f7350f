import { afterEach, describe, expect, it } from 'vitest'
import { MailOutcomeUnknown, MailPostponed, MailRefused, MailUnavailable } from '#mail/errors.ts'
import { createMailer } from '#mail/mailer.ts'
import type { MailMessage } from '#mail/message.ts'
import type { SmtpSettings } from '#mail/smtp.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { itLong } from '#tests/support/long.ts'

const message: MailMessage = {
  key: '0b5f61b2-1111-4111-8111-111111111111',
  to: 'reader@example.test',
  subject: 'Grüße',
  text: 'Confirm here\n',
  html: '<p>Confirm here</p>',
  date: new Date('2026-11-20T08:00:00.000Z'),
  unsubscribeUrl: 'https://practice.example/newsletter/leave/token',
}

let server: MailServer
afterEach(() => server.close())

const never = new Promise<never>(() => undefined)

function send(smtp: SmtpSettings, signal = new AbortController().signal): Promise<void> {
  const sender = { header: 'Everchart <news@practice.example>', address: 'news@practice.example' }
  return createMailer({ smtp, sender, outboxFolder: '' }).send(message, signal)
}

describe('an accepted message', () => {
  it('has its headers, among them those for unsubscribing with one click', async () => {
    server = await startMailServer()
    await send(server.settings())
    const [{ content, ...envelope } = { content: '' }] = server.messages
    expect(envelope).toMatchObject({ to: 'reader@example.test', from: 'news@practice.example', user: null })
    for (const header of [
      'From: Everchart <news@practice.example>',
      'To: reader@example.test',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Message-ID: <0b5f61b2-1111-4111-8111-111111111111@practice.example>',
      'Date: Fri, 20 Nov 2026 08:00:00 +0000',
      'List-Unsubscribe: <https://practice.example/newsletter/leave/token>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Auto-Submitted: auto-generated',
    ])
      expect(content).toContain(`${header}\r\n`)
  })

  it('is encrypted with STARTTLS before the client signs in', async () => {
    const credentials = { user: 'news', password: 'a password' }
    server = await startMailServer({ encryption: 'starttls', credentials })
    await send(server.remoteSettings())
    expect(server.messages).toMatchObject([{ isEncrypted: true, user: 'news' }])
  })

  it('is encrypted from the first byte with smtps', async () => {
    server = await startMailServer({ encryption: 'tls' })
    await send(server.remoteSettings())
    expect(server.messages).toMatchObject([{ isEncrypted: true }])
  })

  it('may come from this machine with any certificate', async () => {
    server = await startMailServer({ encryption: 'starttls' })
    await send(server.settings())
    expect(server.messages).toMatchObject([{ isEncrypted: true }])
  })
})

describe('nothing is sent', () => {
  it('to a server on another machine that offers no encryption', async () => {
    server = await startMailServer({ encryption: 'none' })
    await expect(send(server.remoteSettings())).rejects.toBeInstanceOf(MailUnavailable)
    expect(server.messages).toEqual([])
  })

  it('to a server whose certificate is not trusted', async () => {
    server = await startMailServer({ encryption: 'starttls' })
    const { ca: _, ...untrusting } = server.remoteSettings()
    await expect(send(untrusting)).rejects.toBeInstanceOf(MailUnavailable)
    expect(server.messages).toEqual([])
  })

  it('when the server refuses the password: another message would fail, too', async () => {
    server = await startMailServer({ credentials: { user: 'news', password: 'right' } })
    const wrong = server.settings({ credentials: { user: 'news', password: 'wrong' } })
    await expect(send(wrong)).rejects.toEqual(new MailUnavailable('smtp-535'))
  })

  it('when there is no server', async () => {
    server = await startMailServer()
    await server.close()
    await expect(send(server.settings())).rejects.toBeInstanceOf(MailUnavailable)
  })

  it('when the server does not greet in time', async () => {
    server = await startMailServer({ answer: () => never })
    const timeouts = { dnsMs: 60_000, connectMs: 60_000, greetingMs: 50, replyMs: 60_000 }
    await expect(send(server.settings({ timeouts }))).rejects.toEqual(new MailUnavailable('ETIMEDOUT'))
  })

  it('when the connection is cut before the content', async () => {
    server = await startMailServer({ answer: (step) => (step === 'recipient' ? 'cut' : 'accept') })
    await expect(send(server.settings())).rejects.toBeInstanceOf(MailUnavailable)
    expect(server.messages).toEqual([])
  })

  it('when it is aborted before the content', async () => {
    const abort = new AbortController()
    server = await startMailServer({
      answer(step) {
        if (step !== 'recipient') return 'accept'
        abort.abort()
        return never
      },
    })
    await expect(send(server.settings(), abort.signal)).rejects.toEqual(new MailUnavailable('aborted'))
    expect(server.messages).toEqual([])
  })
})

describe('a refusal', () => {
  it.each(['recipient', 'content'] as const)('of the %s is temporary with 4xx and final with 5xx', async (refused) => {
    let code = 451
    server = await startMailServer({ answer: (step) => (step === refused ? code : 'accept') })
    await expect(send(server.settings())).rejects.toEqual(new MailPostponed('smtp-451'))
    code = 550
    await expect(send(server.settings())).rejects.toEqual(new MailRefused('smtp-550'))
  })

  it('quotes no address', async () => {
    server = await startMailServer({ answer: (step) => (step === 'recipient' ? 550 : 'accept') })
    const error = await send(server.settings()).catch((caught: unknown) => caught)
    expect(String((error as Error).stack)).not.toContain('reader')
  })
})

describe('the outcome is unknown', () => {
  it('when the connection is cut after the content', async () => {
    server = await startMailServer({ answer: (step) => (step === 'content' ? 'cut' : 'accept') })
    await expect(send(server.settings())).rejects.toBeInstanceOf(MailOutcomeUnknown)
    expect(server.messages).toHaveLength(1)
  })

  itLong('when the server does not answer the content in time', async () => {
    server = await startMailServer({ answer: (step) => (step === 'content' ? never : 'accept') })
    // Longer than a busy machine takes for the steps before.
    const timeouts = { dnsMs: 60_000, connectMs: 60_000, greetingMs: 60_000, replyMs: 5_000 }
    await expect(send(server.settings({ timeouts }))).rejects.toBeInstanceOf(MailOutcomeUnknown)
  })

  it('no longer once the server has answered, although the client was to stop', async () => {
    const abort = new AbortController()
    server = await startMailServer({
      answer(step) {
        if (step === 'content') abort.abort()
        return 'accept'
      },
    })
    await send(server.settings(), abort.signal)
    expect(server.messages).toHaveLength(1)
  })
})

describe('a test of the connection', () => {
  const verify = (smtp: SmtpSettings, signal = new AbortController().signal) =>
    createMailer({ smtp, sender: { header: '', address: '' }, outboxFolder: '' }).verify(signal)

  it('encrypts and signs in, and sends nothing', async () => {
    const credentials = { user: 'everchart', password: 'right' }
    server = await startMailServer({ encryption: 'starttls', credentials })
    await verify(server.remoteSettings())
    expect(server.messages).toEqual([])
    const wrong = { ...credentials, password: 'wrong' }
    await expect(verify(server.remoteSettings({ credentials: wrong }))).rejects.toMatchObject({ code: 'smtp-535' })
  })

  it('refuses a server without encryption on another machine', async () => {
    server = await startMailServer()
    await expect(verify(server.remoteSettings())).rejects.toBeInstanceOf(MailUnavailable)
  })

  it('ends when it takes too long', async () => {
    const cut = new AbortController()
    const connected = Promise.withResolvers<void>()
    server = await startMailServer({
      answer: () => {
        connected.resolve()
        return never
      },
    })
    const verified = verify(server.settings(), cut.signal)
    void connected.promise.then(() => cut.abort())
    await expect(verified).rejects.toMatchObject({ name: 'MailUnavailable', code: 'ETIMEDOUT' })
  })
})
