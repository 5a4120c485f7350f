import type { ChatAction, ChatSource } from '#contracts/assistant.ts'
import { hasPermission, type Permission } from '#contracts/values/roles.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import type { PracticeProvider } from '#modules/providers/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import type { Intent, ProviderChoice } from './intent.ts'

/** An answer with what it rests on: the permissions that its text needs, and the patients that it names. */
export type ChatReply = {
  text: string
  sources: ChatSource[]
  actions: ChatAction[]
  permissions: Permission[]
  patientIds: string[]
}

/** The knowledge that every answer may use: the caller with their records, and the practice's time and providers. */
export type AnswerContext = Pick<Services, 'db' | 'keyStore'> & {
  clock: () => Date
  caller: Member
  scope: RecordScope
  /** The practice's time zone (IANA). */
  zone: string
  now: Date
  /** The local date of the practice. */
  today: string
  providers: readonly PracticeProvider[]
}

/** The intent of one kind. */
export type IntentOf<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>

/** The names, patients and appointments that one answer lists at most; it says how many more there are. */
export const maxListed = 12

/** Creates an answer; what is left out is empty. */
export const createReply = (text: string, over: Partial<Omit<ChatReply, 'text'>> = {}): ChatReply => ({
  text,
  sources: [],
  actions: [],
  permissions: [],
  patientIds: [],
  ...over,
})

/** Joins a sentence and the lines of a list; the lines after `maxListed` are counted. */
export function joinLines(head: string, lines: readonly string[], total = lines.length): string {
  const shown = lines.slice(0, maxListed).map((line) => `- ${line}`)
  const more = total - shown.length
  return [head, ...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n')
}

/** Returns the answer for callers whose role does not include the data of a question. */
export const refuse = (what: string): ChatReply =>
  createReply(`Your role does not include ${what}. Please ask the owner of the practice.`)

export const can = ({ caller }: Pick<AnswerContext, 'caller'>, permission: Permission): boolean =>
  hasPermission(caller, permission)

/** Returns the ids of the providers that a question is about; null for all of them. */
export function chooseProviders({ caller, providers }: AnswerContext, choice: ProviderChoice): string[] | null {
  if (choice.kind === 'some') return [...choice.ids]
  if (choice.kind !== 'own') return null
  const own = providers.filter(({ userId, active }) => active && userId === caller.userId)
  // A question of the front desk about "my day" is about everyone's.
  return own.length > 0 ? own.map(({ id }) => id) : null
}

/** Returns the answer to a question about a provider whom the practice does not have. */
export function refuseUnknownProvider({ providers }: AnswerContext, { name }: { name: string }): ChatReply {
  const names = providers.filter(({ active }) => active).map((provider) => provider.name)
  return createReply(joinLines(`There is no provider named ${name} in this practice. These are the providers:`, names))
}
