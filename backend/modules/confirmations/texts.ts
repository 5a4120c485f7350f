import type { Context } from 'koa'
import { endSentence, type MessageLanguage } from '#contracts/values/confirmations.ts'

/** The words of messages and pages to patients in one language. `when` is a local day and time. */
type Texts = {
  readonly subject: (practice: string) => string
  readonly isOn: (practice: string, when: string) => string
  readonly ask: string
  readonly confirmOrDecline: string
  readonly questions: (practice: string, phone: string) => string
  readonly question: string
  readonly confirm: string
  readonly other: string
  readonly decline: string
  readonly toCalendar: string
  readonly cancelled: string
  readonly confirmed: string
  readonly moved: string
  readonly callToBook: (phone: string) => string
  readonly chooseOther: string
  readonly now: (when: string) => string
  readonly noFreeTime: (phone: string | null) => string
  readonly noneSuits: string
  readonly wasTaken: string
  readonly hasBegun: string
  readonly wasMoved: string
  readonly wasCancelled: string
  readonly isClosed: string
  readonly invalidLink: string
  readonly pressButton: string
  readonly appointmentAt: (practice: string) => string
  readonly offerSubject: (practice: string) => string
  readonly offer: (practice: string, when: string) => string
  readonly takeIt: string
  readonly takeOrDecline: string
  readonly openUntil: (when: string) => string
  readonly offerQuestion: string
  readonly take: string
  readonly noThanks: string
  readonly booked: string
  readonly thanks: string
  readonly offeredOn: string
  readonly notFree: string
  readonly stayOnWaitlist: (phone: string | null) => string
  readonly surveySubject: (practice: string) => string
  readonly surveyAsk: (practice: string) => string
  readonly surveyRate: string
  readonly surveyPrivate: string
  /** The labels of the scores, the worst first. */
  readonly surveyScores: readonly [string, string, string, string, string]
  readonly surveyAnswered: (score: number) => string
  readonly surveyMore: string
  readonly surveySend: string
  readonly surveyCommented: (practice: string) => string
  readonly surveyStop: string
  readonly surveyStopped: (practice: string) => string
  readonly surveyPoor: (score: number) => string
  readonly replyNone: string
  readonly replySeveral: string
  readonly replyLater: (practice: string, phone: string | null) => string
  readonly replyClosed: string
  readonly replyConfirmed: (practice: string, when: string) => string
}

const english: Texts = {
  subject: (practice) => `Your appointment at ${practice}`,
  isOn: (practice, when) => `Your appointment at ${practice} is on ${when}.`,
  ask: 'Will you come? Confirm or decline with this link:',
  confirmOrDecline: 'Confirm or decline',
  questions: (practice, phone) => `Questions? Call ${practice}: ${phone}`,
  question: 'Will you come to your appointment?',
  confirm: 'Confirm',
  other: 'Choose another time',
  decline: 'I cannot come',
  toCalendar: 'Add to calendar',
  cancelled: 'Your appointment is cancelled',
  confirmed: 'Your appointment is confirmed',
  moved: 'Your appointment was moved',
  callToBook: (phone) => ` To book another one, call ${phone}.`,
  chooseOther: 'Choose another time',
  now: (when) => `Now: ${when}.`,
  noFreeTime: (phone) =>
    `There is no free time in the next weeks. Please decline${phone === null ? '' : ` or call ${phone}`}.`,
  noneSuits: 'None of these: I cannot come',
  wasTaken: 'This time was taken in the meantime. ',
  hasBegun: 'This appointment has begun or is over.',
  wasMoved: 'This appointment was moved. Please use the link in the latest message.',
  wasCancelled: 'This appointment was cancelled.',
  isClosed: 'This question is not open any more.',
  invalidLink: 'This link is not valid. Please check that you opened all of it.',
  pressButton: 'Please press a button',
  appointmentAt: (practice) => `Appointment at ${practice}`,
  offerSubject: (practice) => `A time is free at ${practice}`,
  offer: (practice, when) => `${practice}: a time is free on ${when}.`,
  takeIt: 'Take it:',
  takeOrDecline: 'Take it or decline',
  openUntil: (when) => `The offer is open until ${when}.`,
  offerQuestion: 'Would you like to come at this time?',
  take: 'Take this time',
  noThanks: 'No, thank you',
  booked: 'Your appointment is booked',
  thanks: 'Thank you for your answer',
  offeredOn: 'The time is offered to another patient. You stay on the waitlist.',
  notFree: 'This time is not free any more',
  stayOnWaitlist: (phone) =>
    `You stay on the waitlist as before.${phone === null ? '' : ` Please call ${phone} about other times.`}`,
  surveySubject: (practice) => `How was your appointment at ${practice}?`,
  surveyAsk: (practice) => `How was your appointment at ${practice}?`,
  surveyRate: 'Answer with one tap',
  surveyPrivate: 'Only the practice reads your answer.',
  surveyScores: ['Very poor', 'Poor', 'Fair', 'Good', 'Very good'],
  surveyAnswered: (score) => `Your answer, ${score} of 5, has arrived.`,
  surveyMore: 'Would you like to tell the practice more? (optional)',
  surveySend: 'Send',
  surveyCommented: (practice) => `${practice} reads your words. In an emergency, call 911.`,
  surveyStop: 'Do not ask me again',
  surveyStopped: (practice) => `${practice} does not ask you again how you liked an appointment.`,
  surveyPoor: (score) => `Rated the appointment ${score} of 5.`,
  replyNone: 'No appointment waits for your answer. Please call your practice.',
  replySeveral: 'You have more than one appointment. Please open the link in the message about each of them.',
  replyLater: (practice, phone) =>
    `${practice} reads your message later. Reply C to confirm, open the link${phone === null ? '' : ` or call ${phone}`}.`,
  replyClosed: 'This question is not open any more. Please call your practice.',
  replyConfirmed: (practice, when) => `${practice}: your appointment on ${when} is confirmed. Thank you.`,
}

const spanish: Texts = {
  subject: (practice) => `Su cita en ${practice}`,
  isOn: (practice, when) => endSentence(`Su cita en ${practice} es el ${when}`),
  ask: '¿Vendrá usted? Confirme o rechace con este enlace:',
  confirmOrDecline: 'Confirmar o rechazar',
  questions: (practice, phone) => `¿Preguntas? Llame a ${practice}: ${phone}`,
  question: '¿Vendrá usted a su cita?',
  confirm: 'Confirmar',
  other: 'Elegir otra hora',
  decline: 'No puedo venir',
  toCalendar: 'Añadir al calendario',
  cancelled: 'Su cita está cancelada',
  confirmed: 'Su cita está confirmada',
  moved: 'Su cita fue cambiada',
  callToBook: (phone) => ` Para pedir otra cita, llame al ${phone}.`,
  chooseOther: 'Elija otra hora',
  now: (when) => `Ahora: ${when}.`,
  noFreeTime: (phone) =>
    `No hay horas libres en las próximas semanas. Por favor, rechace la cita${phone === null ? '' : ` o llame al ${phone}`}.`,
  noneSuits: 'Ninguna de estas: no puedo venir',
  wasTaken: 'Esta hora ya fue ocupada. ',
  hasBegun: 'Esta cita ya empezó o terminó.',
  wasMoved: 'Esta cita fue cambiada. Use el enlace del último mensaje.',
  wasCancelled: 'Esta cita fue cancelada.',
  isClosed: 'Esta pregunta ya no está abierta.',
  invalidLink: 'Este enlace no es válido. Compruebe que lo abrió completo.',
  pressButton: 'Pulse un botón, por favor',
  appointmentAt: (practice) => `Cita en ${practice}`,
  offerSubject: (practice) => `Hay una hora libre en ${practice}`,
  offer: (practice, when) => endSentence(`${practice}: hay una hora libre el ${when}`),
  takeIt: 'Tómela:',
  takeOrDecline: 'Tomarla o rechazarla',
  openUntil: (when) => endSentence(`La oferta está abierta hasta el ${when}`),
  offerQuestion: '¿Le gustaría venir a esta hora?',
  take: 'Tomar esta hora',
  noThanks: 'No, gracias',
  booked: 'Su cita está reservada',
  thanks: 'Gracias por su respuesta',
  offeredOn: 'La hora se ofrece a otro paciente. Usted sigue en la lista de espera.',
  notFree: 'Esta hora ya no está libre',
  stayOnWaitlist: (phone) =>
    `Usted sigue en la lista de espera.${phone === null ? '' : ` Llame al ${phone} para otras horas.`}`,
  surveySubject: (practice) => `¿Cómo fue su cita en ${practice}?`,
  surveyAsk: (practice) => `¿Cómo fue su cita en ${practice}?`,
  surveyRate: 'Responda con un toque',
  surveyPrivate: 'Solo el consultorio lee su respuesta.',
  surveyScores: ['Muy mal', 'Mal', 'Regular', 'Bien', 'Muy bien'],
  surveyAnswered: (score) => `Su respuesta, ${score} de 5, ha llegado.`,
  surveyMore: '¿Quiere contarle más al consultorio? (opcional)',
  surveySend: 'Enviar',
  surveyCommented: (practice) => `${practice} leerá sus palabras. En una emergencia, llame al 911.`,
  surveyStop: 'No me pregunten más',
  surveyStopped: (practice) => `${practice} no le preguntará más cómo fue una cita.`,
  surveyPoor: (score) => `Valoró la cita con ${score} de 5.`,
  replyNone: 'Ninguna cita espera su respuesta. Por favor, llame a su consultorio.',
  replySeveral: 'Usted tiene más de una cita. Abra el enlace del mensaje sobre cada una.',
  replyLater: (practice, phone) =>
    `${practice} leerá su mensaje más tarde. Responda C para confirmar, abra el enlace${phone === null ? '' : ` o llame al ${phone}`}.`,
  replyClosed: 'Esta pregunta ya no está abierta. Por favor, llame a su consultorio.',
  replyConfirmed: (practice, when) => `${practice}: su cita del ${when} está confirmada. Gracias.`,
}

/** The words of messages and pages to patients, by language. */
export const textsByLanguage: Readonly<Record<MessageLanguage, Texts>> = { en: english, es: spanish }

/** Returns a day and time as a patient reads them, in the practice's time zone (IANA). */
export const formatWhen = (startsAt: string, zone: string, language: MessageLanguage): string =>
  new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', {
    timeZone: zone,
    dateStyle: 'full',
    timeStyle: 'short',
  }).format(new Date(startsAt))

/** Returns the language of a page: the one that the patient's browser prefers, otherwise that of the practice's messages. */
export function chooseLanguage(ctx: Context, language: MessageLanguage): MessageLanguage {
  const best = ctx.acceptsLanguages(language === 'es' ? ['es', 'en'] : ['en', 'es'])
  return best === 'es' || best === 'en' ? best : language
}
