import { describe, expect, it } from 'vitest'
import { countSegments, MessageLanguage } from '#contracts/values/confirmations.ts'
import { createMailMessage, createTextMessage, type Question } from '#modules/confirmations/message.ts'
import { createOfferMail, createOfferText } from '#modules/confirmations/offers/message.ts'

const question: Question = {
  key: 'a-key-1',
  to: 'patient@example.test',
  practiceName: 'Lakeside <Family> Practice',
  practicePhone: '(617) 555-0100',
  startsAt: '2026-11-20T14:00:00.000Z',
  zone: 'America/New_York',
  customMessage: 'Please bring your insurance card & a list.',
  link: 'https://practice.example/confirm/token',
  canReply: false,
  date: new Date('2026-11-19T14:00:00.000Z'),
  language: 'en',
}

describe('a message to a patient', () => {
  it('names the practice, the local time, the link and what the practice adds', () => {
    const { text } = createTextMessage(question)
    expect(text).toBe(
      'Lakeside <Family> Practice: your appointment is on Friday, November 20, 2026 at 9:00 AM. ' +
        'Confirm or decline: https://practice.example/confirm/token Please bring your insurance card & a list.',
    )
    expect(createTextMessage({ ...question, canReply: true }).text).toContain(
      'at 9:00 AM. Reply C to confirm. Confirm or',
    )
    const mail = createMailMessage(question)
    for (const part of ['Friday, November 20, 2026 at 9:00 AM', question.link, question.customMessage ?? ''])
      expect(mail.text).toContain(part)
    expect(mail.html).toContain('Lakeside &lt;Family&gt; Practice')
    expect(mail.html).toContain('insurance card &amp; a list')
  })

  it('is in the language that the practice chose', () => {
    const spanish = { ...question, language: 'es' } as const
    const { text } = createTextMessage({ ...spanish, canReply: true })
    expect(text).toMatch(
      /^Lakeside <Family> Practice: su cita es el viernes, 20 de noviembre de 2026, 9:00\sa\.m\. Responda C/,
    )
    expect(text).toContain('para confirmar. Confirme o rechace: https://practice.example/confirm/token')
    const mail = createMailMessage(spanish)
    expect(mail.subject).toBe('Su cita en Lakeside <Family> Practice')
    expect(mail.text).toContain('¿Vendrá usted?')
    expect(mail.html).toContain('Confirmar o rechazar')
    const offer = { ...spanish, expiresAt: '2026-11-19T16:00:00.000Z' }
    expect(createOfferText(offer).text).toContain('hay una hora libre el viernes, 20 de noviembre de 2026')
    expect(createOfferMail(offer)).toMatchObject({ subject: 'Hay una hora libre en Lakeside <Family> Practice' })
  })

  it.each(MessageLanguage.options)('asks for no word that providers of text messages reserve: %s', (language) => {
    const message = { ...question, practiceName: 'P', customMessage: null, canReply: true, language }
    const texts = [createTextMessage(message), createOfferText({ ...message, expiresAt: message.startsAt })]
    const reserved = /\b(stop|stopall|unsubscribe|cancel|end|quit|yes|start|unstop|help|info|alto|parar)\b/i
    for (const { text } of texts) expect(text).not.toMatch(reserved)
  })

  it('is counted in segments as providers charge them', () => {
    expect(countSegments('a'.repeat(160))).toBe(1)
    expect(countSegments('a'.repeat(161))).toBe(2)
    expect(countSegments('a'.repeat(307))).toBe(3)
    expect(countSegments('€'.repeat(80))).toBe(1)
    expect(countSegments('€'.repeat(81))).toBe(2)
    expect(countSegments('ł'.repeat(70))).toBe(1)
    expect(countSegments('ł'.repeat(71))).toBe(2)
  })
})
